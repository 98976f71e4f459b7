// What Streamlit leaves undone in the page around us, mended after every drawing:
// the language of the page and of texts in another one, boxes that scroll but cannot be reached by
// keyboard, and charts that keep the colours of a theme that is gone.

const LANGUAGE = /\bst-key-lang_([A-Za-z0-9-]+)_/;
const SCROLLING = '[class*="st-key-scroll_"], .katex-display, [data-testid="stMarkdownContainer"] pre';

const PAGES = '[data-testid="stSidebarNavItems"]';

const REST = 250; // ms without another change until the page counts as drawn

const themes = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  document.documentElement.lang = data.language;
  const app = document.querySelector('[data-testid="stApp"]');
  let timer = 0;
  const mend = () => {
    nameLanguages(data.typed);
    openScrolling();
    unlistPages();
  };
  // What is measured here makes the browser lay the page out, so it waits until the page rests.
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(mend, REST);
  };
  const look = () => {
    const theme = getComputedStyle(app).colorScheme;
    const before = themes.get(parentElement);
    themes.set(parentElement, theme);
    // Python is asked for one drawing a change; what it drew first is of the theme it was told.
    if (before && before !== theme) setTriggerValue("theme", theme);
  };
  const drawn = new MutationObserver(plan);
  drawn.observe(app, { childList: true, subtree: true });
  const dressed = new MutationObserver(look);
  dressed.observe(app, { attributeFilter: ["class"] });
  window.addEventListener("resize", plan);
  document.fonts.addEventListener("loadingdone", plan); // another font is another width
  mend();
  look();
  return () => {
    drawn.disconnect();
    dressed.disconnect();
    window.removeEventListener("resize", plan);
    document.fonts.removeEventListener("loadingdone", plan);
    clearTimeout(timer);
  };
}

// The groups of the menu lie between a list and its items, where nothing else may lie.
function unlistPages() {
  for (const part of document.querySelectorAll(`${PAGES}, ${PAGES} li`)) part.role ??= "none";
}

function nameLanguages(typed) {
  for (const box of document.querySelectorAll('[class*="st-key-lang_"]')) {
    const code = LANGUAGE.exec(box.className)?.[1];
    if (code && box.lang !== code) {
      box.lang = code;
      box.translate = false; // the model's own words, which no browser is to turn into others
    }
  }
  for (const [key, code] of Object.entries(typed)) {
    const box = document.querySelector(`.st-key-${key} input`);
    if (box && box.lang !== code) box.lang = code;
  }
}

function openScrolling() {
  for (const box of document.querySelectorAll(SCROLLING)) {
    const scrolls =
      box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "visible";
    if (scrolls && box.tabIndex < 0) box.tabIndex = 0;
    else if (!scrolls && box.tabIndex === 0) box.removeAttribute("tabindex");
  }
}
