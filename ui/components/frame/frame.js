// What Streamlit leaves undone in the page around us, mended after every drawing:
// the language of the page and of texts in another one, boxes that scroll but cannot be reached by
// keyboard, and charts that keep the colours of a theme that is gone. And what the page's keys do: "p"
// for the presentation mode, whose first picture is fitted into the screen, "f" for that picture alone
// with its headline; every other picture has a button for that while the pointer is on it.

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
const LARGE = { zoom: 1.1, width: 1280, height: 720 }; // the presentation mode on that screen
const FITS = { least: 0.3, most: 3 }; // factors of a picture
const WIDE = '[class*="st-key-scroll_"][class*="_wide"]';
const STRETCHED = `${WIDE}, [class*="st-key-plot_"], [data-testid^="stBidiComponent"]`;
const PLOT = '[class*="st-key-plot_"]'; // is drawn in any height, so it gets what is left of the screen
const PLOT_TYPE = 1.15; // factor of its letters
const LEAST_PLOT = 240; // px, its height on a screen that has less left
const TABLE = '[data-testid="stDataFrame"]'; // drawn in pixels of the screen: scaled, it would lose strokes of its letters
const LEAST_STRETCHED = 560; // px, as narrow as a picture may get that is as wide as its box
const MARGIN = 10; // px below the picture
const GAP = 12; // px between the lines of a headline
const TRIES = 4;
const OWN_FULL = ".st-key-heads"; // has a button of its own

const LEAST_SCROLL = 4; // px beyond the side of a box that are worth a sign
const REST = 250; // ms without another change until the page counts as drawn

const themes = new WeakMap();
let fitted = { of: "", by: 1, grown: 0 }; // factor of the first picture at an address and a size

export default function ({ parentElement, data: sent, setTriggerValue }) {
  const data = opened(sent);
  globalThis.attentionLabFrame?.(); // what the last drawing left listening
  document.documentElement.lang = data.language;
  const app = document.querySelector('[data-testid="stApp"]');
  let timer = 0;
  let watched = null;
  const mend = (rests = false) => {
    watch();
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
  // A figure that loads late gets its size by its style alone, which is no new element.
  const sized = new ResizeObserver(plan);
  const watch = () => {
    if (watched === pagePart()) return;
    sized.disconnect();
    watched = pagePart();
    if (watched) sized.observe(watched);
  };
  const drawn = new MutationObserver(plan);
  drawn.observe(app, { childList: true, subtree: true });
  const dressed = new MutationObserver(look);
  dressed.observe(app, { attributeFilter: ["class"] });
  const joined = new MutationObserver(() => rejoin(app, setTriggerValue));
  joined.observe(app, { attributeFilter: ["data-test-connection-state"] });
  window.addEventListener("resize", plan);
  window.addEventListener("keydown", press);
  globalThis.attentionLabFull = turnFull; // for the buttons of figures
  const point = (event) => offerFull(event.target, data.full);
  window.addEventListener("pointerover", point);
  const turned = () => {
    fitFull();
    setTimeout(fitFull, REST); // a picture may answer with another size
    plan(); // the page may have been left before it was fitted
  };
  document.addEventListener("fullscreenchange", turned);
  document.fonts.addEventListener("loadingdone", plan); // another font is another width
  mend();
  look();
  return (globalThis.attentionLabFrame = () => {
    drawn.disconnect();
    sized.disconnect();
    dressed.disconnect();
    joined.disconnect();
    window.removeEventListener("resize", plan);
    window.removeEventListener("keydown", press);
    window.removeEventListener("pointerover", point);
    document.removeEventListener("fullscreenchange", turned);
    document.fonts.removeEventListener("loadingdone", plan);
    clearTimeout(timer);
  });
}

/** After a lost connection another process may answer. It knows nothing of this page, and would ignore a
 *  click into a part that is drawn alone, until it has drawn the whole. */
function rejoin(app, setTriggerValue) {
  const lost = app.dataset.testConnectionState !== "CONNECTED";
  if (!lost && globalThis.attentionLabLost) setTriggerValue("joined", true);
  globalThis.attentionLabLost = lost;
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
    if (scrolls) box.addEventListener("scroll", fadeBeyond, { passive: true });
    fadeBeyond({ currentTarget: box });
  }
}

/** Let a box fade out on the sides where it can be scrolled on: phones draw no bar that says so. */
function fadeBeyond({ currentTarget: box }) {
  const left = Math.abs(box.scrollLeft);
  const sides = { start: left, end: box.scrollWidth - box.clientWidth - left };
  const beyond = Object.keys(sides).filter((side) => sides[side] > LEAST_SCROLL).join(" ");
  if ((box.dataset.beyond ?? "") !== beyond) box.dataset.beyond = beyond;
}

function isTyped(event) {
  const [target] = event.composedPath();
  return target.closest?.('input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select');
}

const sizes = (root) =>
  [...root.querySelectorAll(PICTURES)]
    .map((node) => ({ node, box: node.getBoundingClientRect() }))
    .filter(({ box }) => box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT)
    .sort((one, other) => one.box.top - other.box.top);

const middle = ({ top, bottom }) => (top + bottom) / 2;
const mainPart = () => document.querySelector('[data-testid="stMain"]');
const pagePart = () => document.querySelector(".st-key-page") ?? mainPart();
const frameOf = (node) =>
  node.closest(FRAMES) ?? node.closest('[data-testid="stElementContainer"]') ?? node.parentElement;

/** The type has one size on every page; what takes the rest of the screen is the first picture, together
 *  with those beside it. */
function fit(on, tries = TRIES) {
  const { style, dataset } = document.documentElement;
  if (!on) {
    style.removeProperty("--lab-zoom");
    markFitted(new Set());
    return;
  }
  if (document.fullscreenElement) return; // another zoom of the page would enlarge its picture too
  const { innerWidth, innerHeight } = window;
  const zoom = LARGE.zoom * Math.max(0.7, Math.min(innerWidth / LARGE.width, innerHeight / LARGE.height));
  style.setProperty("--lab-zoom", zoom.toFixed(3));
  const of = `${location.href} ${innerWidth} ${innerHeight}`;
  if (fitted.of !== of) fitted = { of, by: 1, grown: 0 };
  style.setProperty("--lab-fit", fitted.by.toFixed(3));
  const all = sizes(pagePart());
  // Up to its middle: a picture that is not fitted yet may reach down over the next one.
  const row = all.filter(({ box }) => box.top < middle(all[0].box)).map(({ node }) => node);
  markFitted(new Set(row.map(frameOf)));
  if (!row.length) return (dataset.fitted = "");
  const next = Math.max(FITS.least, Math.min(FITS.most, highest(row), ...row.map((node) => widest(node, zoom))));
  const grows = next > fitted.by + 0.03 && fitted.grown < TRIES; // a picture may answer with another size
  if (next > fitted.by - 0.004 && !grows) return (dataset.fitted = "");
  fitted.grown += grows;
  fitted.by = next;
  style.setProperty("--lab-fit", next.toFixed(3));
  if (tries) setTimeout(() => fit(on, tries - 1), REST / 2);
  else dataset.fitted = "";
}

/** The factor by which a row of pictures ends at the end of the screen. */
function highest(row) {
  if (row.some((node) => node.closest(TABLE))) return 1;
  const rigid = row.filter((node) => !node.closest(PLOT));
  if (!rigid.length) return PLOT_TYPE;
  const boxes = rigid.map((node) => node.getBoundingClientRect());
  const top = Math.min(...boxes.map((box) => box.top)) + mainPart().scrollTop;
  const end = Math.max(...boxes.map((box) => box.bottom)) + mainPart().scrollTop;
  return (fitted.by * (window.innerHeight - MARGIN - top)) / (end - top);
}

/** The factor by which a picture is as wide as the room of its box. */
function widest(node, zoom) {
  if (node.closest(TABLE)) return 1;
  const frame = frameOf(node);
  const room = frame.parentElement.getBoundingClientRect().right - frame.getBoundingClientRect().left;
  if (node.closest(STRETCHED)) return Math.max(1, room / (LEAST_STRETCHED * zoom));
  return (fitted.by * room) / (node.getBoundingClientRect().right - frame.getBoundingClientRect().left);
}

function markFitted(frames) {
  for (const node of document.querySelectorAll("[data-lab-fit]")) if (!frames.has(node)) delete node.dataset.labFit;
  for (const node of frames) {
    node.dataset.labFit = "";
    node.style.setProperty("--lab-high", `${node.offsetHeight}px`);
    if (node.matches(PLOT)) node.style.setProperty("--lab-left", `${leftBelow(node)}px`);
  }
}

/** Pixels of the screen from the top of a frame to the end. */
function leftBelow(frame) {
  const top = frame.getBoundingClientRect().top + mainPart().scrollTop;
  return Math.max(LEAST_PLOT, Math.round(window.innerHeight - MARGIN - top));
}

/** A picture alone on the screen, below its headline; by default the first one. */
function turnFull(picture = sizes(pagePart())[0]?.node) {
  if (document.fullscreenElement) return document.exitFullscreen();
  const stage = document.querySelector(".st-key-picture")?.closest('[data-testid="stLayoutWrapper"]')?.parentElement;
  const frame = picture && frameOf(picture);
  const page = stage?.contains(frame) ? stage : frame;
  if (!page) return;
  for (let node = frame; node !== page; node = node.parentElement) node.dataset.full = "way";
  if (page !== frame) frame.dataset.full = "figure";
  page.requestFullscreen().catch(clearFull);
}

function clearFull() {
  for (const node of document.querySelectorAll("[data-full]")) {
    node.style.zoom = "";
    node.style.removeProperty("--lab-full");
    delete node.dataset.full;
  }
}

/** The picture that fills the screen, as large as it can be without being cut. */
function fitFull() {
  document.getElementById("lab-full")?.remove();
  const page = document.fullscreenElement;
  if (!page) return clearFull();
  const frame = page.querySelector('[data-full="figure"]') ?? page;
  const part = page === frame ? frame.firstElementChild : frame;
  part.style.zoom = "";
  part.style.removeProperty("--lab-full");
  const picture = sizes(frame)[0];
  if (!picture) return;
  const lines = [...page.querySelectorAll('[data-testid="stMarkdown"]')].filter((node) => !frame.contains(node));
  const head = lines.reduce((sum, node) => sum + node.getBoundingClientRect().height + GAP, 0);
  const { width, height } = picture.box;
  part.dataset.full ||= "figure";
  const room = { width: 0.96 * window.innerWidth, height: 0.96 * (window.innerHeight - head) };
  if (part.matches(WIDE)) {
    // It takes any width, so the height decides, and its box gets narrower by as much.
    const by = Math.min(room.height / height, room.width / LEAST_STRETCHED);
    part.style.setProperty("--lab-full", Math.max(1, by).toFixed(3));
  } else {
    part.style.zoom = Math.min(room.width / width, room.height / height);
  }
}

/** A button at the corner of the picture that the pointer is on. */
function offerFull(target, name) {
  const here = document.getElementById("lab-full");
  if (target === here || document.fullscreenElement) return;
  const picture = target.closest?.(PICTURES) ?? target.closest?.(FRAMES)?.querySelector(PICTURES);
  const box = picture?.getBoundingClientRect();
  const isLarge = box && box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT && pagePart().contains(picture);
  if (!isLarge || picture.closest(OWN_FULL)) return here?.remove();
  const button = here ?? document.body.appendChild(document.createElement("button"));
  Object.assign(button, { id: "lab-full", type: "button", textContent: "⛶", title: name });
  button.setAttribute("aria-label", name);
  button.onclick = () => turnFull(picture);
  Object.assign(button.style, { top: `${Math.max(4, box.top)}px`, left: `${Math.min(innerWidth, box.right) - 32}px` });
}
