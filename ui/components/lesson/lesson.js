// What the open lesson does to the page around it: while it asks, the picture beside it answers
// nobody; then a ring shows where the answer stands. The ring follows what it is around by looking
// there again and again, for charts and components tell nobody when they have been drawn.

const LOOKING = 250; // ms
const ROUND = 5; // px between a mark and its ring
const ROW = 36; // px of a line of a table, as in ui/kit/blocks.py
const MARKS = "svg.marks :is(path, text, image, line, rect)";
const KEYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };
const BUSY = 'input, textarea, select, button, canvas, [role="button"], [tabindex="0"]';

export default function ({ parentElement, data: sent, setTriggerValue }) {
  const data = opened(sent);
  globalThis.attentionLabLesson?.();
  copying(parentElement.querySelector(".link"), data);
  const ring = document.createElement("div");
  ring.className = "lesson-ring";
  ring.setAttribute("aria-hidden", "true");
  ring.hidden = true;
  document.querySelector('[data-testid="stApp"]').append(ring);
  const look = () => {
    const page = document.querySelector(".st-key-page");
    if (page && page.inert !== data.asking) page.inert = data.asking;
    const panel = document.querySelector(".st-key-lesson")?.offsetHeight ?? 0;
    document.documentElement.style.setProperty("--lab-lesson", `${panel}px`);
    const box = data.ring.key ? boxOf(data.ring) : null;
    const first = box && !ring.dataset.seen;
    ring.hidden = !box;
    if (!box) return;
    for (const [side, extra] of [["left", -ROUND], ["top", -ROUND], ["width", 2 * ROUND], ["height", 2 * ROUND]])
      ring.style[side] = `${box[side] + extra}px`;
    ring.dataset.seen = "";
    if (first && box.top > window.innerHeight) box.node.scrollIntoView({ block: "center" });
  };
  const press = (event) => {
    if (!data.slides || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = KEYS[event.key] ?? (/^[1-9]$/.test(event.key) ? event.key : "");
    const busy = !event.key.startsWith("Page") && event.composedPath()[0].closest?.(BUSY);
    if (!key || busy) return;
    event.preventDefault();
    setTriggerValue("slide", key);
  };
  const timer = setInterval(look, LOOKING);
  window.addEventListener("scroll", look, true);
  window.addEventListener("keydown", press);
  look();
  return (globalThis.attentionLabLesson = () => {
    clearInterval(timer);
    window.removeEventListener("scroll", look, true);
    window.removeEventListener("keydown", press);
    ring.remove();
    const page = document.querySelector(".st-key-page");
    if (page) page.inert = false;
  });
}

function copying(button, { words, personal }) {
  button.textContent = words.copy;
  button.onclick = async () => {
    const link = new URL(location.href);
    for (const name of personal) link.searchParams.delete(name);
    await copyText(link.href);
    button.textContent = words.copied;
    setTimeout(() => (button.textContent = words.copy), 2000);
  };
}

/** Where on the screen the mark is: of a component by its parts, of a table by its line, of a chart
 *  by the row of data that it draws. */
function boxOf({ key, row, column, ...at }) {
  const root = document.querySelector(`[class*="st-key-scroll_${key}"], [class*="st-key-${key}"]`);
  const host = [...(root?.querySelectorAll("*") ?? [])].find((node) => node.shadowRoot);
  if (!root) return null;
  if (host) return row || column ? cellOf(host.shadowRoot, row, column) : partOf(host.shadowRoot, at);
  const table = root.querySelector('[data-testid="stDataFrame"]');
  if (table) return united([table], { down: ROW * row, high: ROW });
  const wanted = Object.entries({ ...(row && { row }), ...(column && { column }), ...at });
  const drawn = [...root.querySelectorAll(MARKS)].filter((node) => {
    const datum = node.__data__?.datum;
    return datum && wanted.every(([name, value]) => datum[name] == value);
  });
  return united("k" in at ? drawn.slice(0, 1) : drawn); // the cell, and not the bar of its column
}

function cellOf(root, row, column) {
  const map = root.querySelector(".map");
  const [down, across] = ["rows", "columns"].map((side) => root.querySelectorAll(`.${side} .label`).length);
  if (!map || !down || !across) return null;
  const { width, height } = map.getBoundingClientRect();
  const [high, wide] = [row ? height / down : height, column ? width / across : width];
  return united([map], { left: column ? (column - 1) * wide : 0, down: row ? (row - 1) * high : 0, high, wide });
}

/** Layers and heads count from 1 in the ring, from 0 in the components. */
function partOf(root, { part, ...at }) {
  const from = (name, value) => (name === "layer" || name === "head" ? value - 1 : value);
  const parts = Object.entries(at).map(([name, value]) => `[data-${name}="${from(name, value)}"]`);
  return united([...root.querySelectorAll((part ? `.${part}` : "") + parts.join(""))].slice(0, 1));
}

function united(nodes, { left = 0, down = 0, wide, high } = {}) {
  const boxes = nodes.map((node) => node.getBoundingClientRect()).filter((box) => box.width || box.height);
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((box) => box.left)) + left;
  const y = Math.min(...boxes.map((box) => box.top)) + down;
  const width = wide ?? Math.max(...boxes.map((box) => box.right)) - x;
  const height = high ?? Math.max(...boxes.map((box) => box.bottom)) - y;
  return { node: nodes[0], left: x, top: y, width, height };
}
