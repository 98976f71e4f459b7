// One entry in the browser's history for each act of the reader: another page, sentence, head, width,
// switch. What the page itself writes into its address belongs to the entry before. Streamlit would
// make an entry for every value that Python writes, and none for what a widget writes.

const TYPING = 3000; // ms between two texts that are one entry, because somebody is still typing
const GROUP = 1000; // ms between two other changes that are one: a slider that is dragged
const COPIED = 2000; // ms for which the button says that it has copied

export default function ({ parentElement, data: sent, setStateValue }) {
  const data = opened(sent);
  tell(data.watched, setStateValue);
  const watch = (globalThis.attentionLabHistory ??= new Watch(data.texts));
  showTools(parentElement, data.words, watch);
}

class Watch {
  constructor(texts) {
    const { history } = window;
    const ways = { push: history.pushState.bind(history), replace: history.replaceState.bind(history) };
    this.depth = history.state?.attentionLab ?? 0; // entries of the reader's before this one
    this.show = () => {};
    this.parts = partsOf();
    this.acted = false; // the reader has done something since the last entry was made
    this.last = this.typed = -Infinity;
    const act = () => (this.acted = true);
    for (const name of ["pointerdown", "keydown"]) window.addEventListener(name, act, true);
    // A change of the address is not the reader's when it is the answer to going back.
    window.addEventListener("popstate", ({ state }) => {
      this.depth = state?.attentionLab ?? 0;
      this.parts = partsOf();
      this.acted = false;
      this.last = this.typed = -Infinity;
      this.changed();
    });
    const go = (state, title, url) => {
      const step = this.isStep(partsOf(url), texts);
      if (step) this.depth += 1;
      ways[step ? "push" : "replace"]({ ...state, attentionLab: this.depth }, title, url);
      this.changed();
    };
    history.pushState = history.replaceState = go;
  }

  isStep(next, texts) {
    const names = Object.keys({ ...this.parts, ...next });
    const other = names.filter((name) => this.parts[name] !== next[name]);
    this.parts = next;
    if (!other.length) return false;
    const now = performance.now();
    const isTyped = other.length === 1 && texts.includes(other[0]);
    const follows = isTyped ? now - this.typed < TYPING : now - this.last < GROUP;
    if (other.some((name) => texts.includes(name))) this.typed = now;
    const step = this.acted && (!follows || other.includes("/"));
    if (this.acted) this.last = now;
    this.acted = false;
    return step;
  }

  changed() {
    freeGradients();
    this.show();
  }
}

/** The page and every value in an address. */
function partsOf(url) {
  const { pathname, searchParams } = new URL(url ?? location.href, location.href);
  return { "/": pathname, ...Object.fromEntries(searchParams) };
}

/** Called again with every drawing, so nothing is listened to twice. */
function showTools(root, words, watch) {
  const [undo, copy] = ["undo", "copy"].map((name) => root.querySelector(`.${name}`));
  hint(undo, words.undo);
  hint(copy, words.copy);
  watch.show = () => (undo.disabled = watch.depth < 1);
  watch.show();
  undo.onclick = () => history.back();
  copy.onclick = async () => {
    await copyText(location.href);
    const said = copy.querySelector(".word");
    said.textContent = words.copied;
    setTimeout(() => (said.textContent = ""), COPIED);
  };
}

/** Say once that we watch. A change of theme calls us with old data, while the answer is on its way;
 * a new session knows nothing of us, and is told again. The time makes it a change for the session of
 * another process, to which the browser hands the values of the one that ended. */
function tell(heard, setStateValue) {
  if (!heard && !globalThis.attentionLabWatchTold) setStateValue("watched", Date.now());
  globalThis.attentionLabWatchTold = !heard;
}

/** Vega names a gradient by the whole address that it was drawn at, and loses it at another. */
function freeGradients() {
  for (const node of document.querySelectorAll('svg [fill^="url("]')) {
    node.setAttribute("fill", node.getAttribute("fill").replace(/^url\([^#]*#/, "url(#"));
  }
}
