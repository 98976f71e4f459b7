// What Streamlit leaves undone in the page around us, mended after every drawing:
// the language of the page and of texts in another one, boxes that scroll but cannot be reached by
// keyboard, and charts that keep the colours of a theme that is gone. And what the page's keys do: "p"
// for the projector view, whose first picture is fitted into the screen, "f" for that picture alone.

const LANGUAGE = /\bst-key-lang_([A-Za-z0-9-]+)_/;
const SCROLLING = '[class*="st-key-scroll_"], .st-key-role_card table, .katex-display, [data-testid="stMarkdownContainer"] pre';

const COMING = '[data-testid="stSkeleton"], [data-testid="stVegaLiteChart"]:empty';
const PAGES = '[data-testid="stSidebarNavItems"]';

const UNFITTED = "html:has(#projector):not([data-fitted])"; // opened in the projector view, and not seen yet
const PICTURES =
  'svg.marks, canvas, .js-plotly-plot, [data-testid="stDataFrame"], [data-testid^="stBidiComponent"]';
const FRAMES = '[class*="st-key-scroll_"], [class*="st-key-plot_"]';
const LEAST_WIDTH = 150; // px of what counts as a picture
const LEAST_HEIGHT = 80;
const PAGE_WIDTH = 976; // px that a page needs, its margins with it
const LARGEST = 2;
const SMALLEST = 0.75;
const TRIES = 4;

const REST = 250; // ms without another change until the page counts as drawn

const themes = new WeakMap();
let ceiling = { of: "", zoom: LARGEST }; // where a line of the page would break and move the picture down

export default function ({ parentElement, data, setTriggerValue }) {
  globalThis.attentionLabFrame?.(); // what the last drawing left listening
  document.documentElement.lang = data.language;
  const app = document.querySelector('[data-testid="stApp"]');
  let timer = 0;
  const mend = (rests = false) => {
    nameLanguages(data.typed);
    openScrolling();
    unlistPages();
    if (!document.querySelector(COMING)) document.getElementById("coming")?.remove();
    if (!data.projector) document.getElementById("projector")?.remove();
    if (rests || !document.querySelector(UNFITTED)) fit(data.projector);
    else plan();
  };
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event)) return;
    if (event.key === "p") setTriggerValue("projector", true);
    if (event.key === "f") turnFull();
  };
  // What is measured here makes the browser lay the page out, so it waits until the page rests.
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(mend, REST, true);
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
  window.addEventListener("keydown", press);
  const turned = () => {
    fitFull();
    plan(); // the page may have been left before it was fitted
  };
  document.addEventListener("fullscreenchange", turned);
  document.fonts.addEventListener("loadingdone", plan); // another font is another width
  mend();
  look();
  return (globalThis.attentionLabFrame = () => {
    drawn.disconnect();
    dressed.disconnect();
    window.removeEventListener("resize", plan);
    window.removeEventListener("keydown", press);
    document.removeEventListener("fullscreenchange", turned);
    document.fonts.removeEventListener("loadingdone", plan);
    clearTimeout(timer);
  });
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

function isTyped(event) {
  const [target] = event.composedPath();
  return target.closest?.('input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select');
}

function firstPicture(root = document.querySelector('[data-testid="stMain"]')) {
  const [first] = [...root.querySelectorAll(PICTURES)]
    .map((node) => ({ node, box: node.getBoundingClientRect() }))
    .filter(({ box }) => box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT)
    .sort((one, other) => one.box.top - other.box.top);
  return first;
}

/** As large as the page's width and the end of its first picture allow. */
function fit(on, tries = TRIES) {
  const { style, dataset } = document.documentElement;
  if (!on) return style.removeProperty("--lab-zoom");
  if (document.fullscreenElement) return; // another zoom of the page would enlarge its picture too
  const page = document.querySelector('[data-testid="stMainBlockContainer"]');
  const now = Number(getComputedStyle(page).zoom) || 1;
  const picture = firstPicture();
  const { scrollTop, clientWidth } = document.querySelector('[data-testid="stMain"]');
  const end = picture ? (picture.box.bottom + scrollTop) / now + 14 : 0;
  const high = end ? window.innerHeight / end : LARGEST;
  const of = `${location.href} ${window.innerWidth} ${window.innerHeight}`;
  if (ceiling.of !== of) ceiling = { of, zoom: LARGEST };
  const zoom = Math.max(SMALLEST, Math.min(clientWidth / PAGE_WIDTH, high, ceiling.zoom));
  if (zoom > now - 0.004 && zoom < now + 0.03) return (dataset.fitted = "");
  if (zoom < now && tries < TRIES) ceiling.zoom = zoom;
  style.setProperty("--lab-zoom", zoom.toFixed(3));
  if (tries) setTimeout(() => fit(on, tries - 1), REST / 2); // a wider page may be laid out otherwise
  else dataset.fitted = "";
}

function turnFull() {
  if (document.fullscreenElement) return document.exitFullscreen();
  const node = firstPicture()?.node;
  (node?.closest(FRAMES) ?? node?.parentElement)?.requestFullscreen().catch(() => {});
}

/** The picture that fills the screen, as large as it can be without being cut. */
function fitFull() {
  const frame = document.fullscreenElement;
  for (const each of document.querySelectorAll("[data-full]")) {
    each.style.zoom = "";
    delete each.dataset.full;
  }
  const picture = frame && firstPicture(frame);
  if (!picture) return;
  const { width, height } = picture.box;
  const part = frame.firstElementChild;
  part.dataset.full = "";
  part.style.zoom = 0.96 * Math.min(window.innerWidth / width, window.innerHeight / height);
}
