// One entry in the browser's history for a deliberate step: another page, sentence, view or change.
// Everything else that an address holds replaces the entry it belongs to. Streamlit itself would
// make an entry for every value that Python writes, and none for what a widget writes.

const TYPING = 3000; // ms between two texts that are one step, because somebody is still typing

export default function ({ data, setStateValue }) {
  tell(data.watched, setStateValue);
  if (globalThis.attentionLabHistory) return;
  globalThis.attentionLabHistory = true;
  const { history, location } = window;
  const ways = { push: history.pushState.bind(history), replace: history.replaceState.bind(history) };
  const partsOf = (url) => {
    const { pathname, searchParams } = new URL(url ?? location.href, location.href);
    return { path: pathname, ...Object.fromEntries(data.steps.map((n) => [n, searchParams.get(n)])) };
  };
  const differing = (a, b) => Object.keys(a).filter((name) => a[name] !== b[name]);
  let entry = partsOf();
  let acted = false; // the reader has done something since the last entry was made
  let typed = -Infinity;
  const act = () => (acted = true);
  for (const name of ["pointerdown", "keydown"]) window.addEventListener(name, act, true);
  window.addEventListener("popstate", () => {
    entry = partsOf();
    acted = false;
    typed = -Infinity;
    freeGradients();
  });

  const go = (state, title, url) => {
    const next = partsOf(url);
    const other = differing(entry, next);
    const now = performance.now();
    const typing = other.length === 1 && data.texts.includes(other[0]) && now - typed < TYPING;
    const step = other.length > 0 && acted && !typing;
    if (other.some((name) => data.texts.includes(name))) typed = now;
    if (step) acted = false;
    entry = next;
    ways[step ? "push" : "replace"](state, title, url);
    freeGradients();
  };
  history.pushState = go;
  history.replaceState = go;
}

/** Say once that we watch. A change of theme calls us with old data, while the answer is on its way;
 * a new session knows nothing of us, and is told again. */
function tell(heard, setStateValue) {
  if (!heard && !globalThis.attentionLabWatchTold) setStateValue("watched", true);
  globalThis.attentionLabWatchTold = !heard;
}

/** Vega names a gradient by the whole address that it was drawn at, and loses it at another. */
function freeGradients() {
  for (const node of document.querySelectorAll('svg [fill^="url("]')) {
    node.setAttribute("fill", node.getAttribute("fill").replace(/^url\([^#]*#/, "url(#"));
  }
}
