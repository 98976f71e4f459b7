// What the components have in common whose state Python hears of and answers. It stands before their
// own code.
//
// What is sent to Python carries a running number. Python sends the number of the last one it took
// back as `answered`, so an answer to something older never undoes something newer.

const views = new WeakMap();

/** Keep one view for a place of the page, however often Streamlit draws it; `name` of its state. */
function answering({ parentElement, data, setStateValue }, View, selector, name) {
  let view = views.get(parentElement);
  if (!view) {
    const root = parentElement.querySelector(selector);
    view = new View(root);
    views.set(parentElement, view);
    // It has no sizes yet, and what is seen shall not move.
    root.style.visibility = "hidden";
    const show = () => (root.style.visibility = "");
    requestAnimationFrame(() => requestAnimationFrame(show));
  }
  view.send = (state) => setStateValue(name, state);
  view.update(opened(data));
  const turn = (view.turns = (view.turns ?? 0) + 1);
  return () => {
    // Streamlit may call off an older turn after a newer one has begun.
    if (turn !== view.turns) return;
    view.close();
    views.delete(parentElement);
  };
}

/** What a component draws into its root. `data` is what Python sent last, `number` that of what was
 *  sent to it, and `timer` runs while something is about to be sent. */
class Answering {
  constructor(root) {
    this.root = root;
    this.data = null;
    this.number = 0;
    this.timer = 0;
    this.listeners = new AbortController();
  }

  close() {
    this.listeners.abort();
    clearTimeout(this.timer);
  }

  hear(node, name, what) {
    node.addEventListener(name, what, { signal: this.listeners.signal });
  }

  answer(state) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.number += 1;
    this.send({ number: this.number, identity: this.data.identity, ...state });
  }
}

/** A message with its open places, `{name}`, filled in. */
function fill(message, values) {
  return message.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

function make(tag, name) {
  const node = document.createElement(tag);
  node.className = name;
  if (tag === "button") node.type = "button";
  return node;
}

/** What `ui.components.packed` made of the data; an array is its bytes. */
function opened(data) {
  if (!(data instanceof Uint8Array)) return data;
  const begin = 4 + new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const array = (name, value) => (value?.bytes ? data.slice(...value.bytes.map((at) => begin + at)) : value);
  return JSON.parse(new TextDecoder().decode(data.subarray(4, begin)), array);
}

/** The numbers of an array that was packed. */
const numbers = (bytes, Type) => new Type(bytes.buffer);
