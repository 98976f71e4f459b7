// What the components have in common whose state Python hears of and answers. It stands before their
// own code.
//
// What is sent to Python carries a running number. Python sends the number of the last one it took
// back as `answered`, so an answer to something older never undoes something newer.

const MASKED = 65535; // a cell that the query may not look at
const FULL = 65534; // weight 1
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

const views = new WeakMap();

/** Keep one view for a place of the page, however often Streamlit draws it; `name` of its state, if
 *  the view does not send it by itself. */
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
  if (name) view.send = (state) => setStateValue(name, state);
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
    this.frame = 0;
    this.listeners = new AbortController();
  }

  close() {
    this.listeners.abort();
    this.observer?.disconnect();
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
  }

  hear(node, name, what) {
    node.addEventListener(name, what, { signal: this.listeners.signal });
  }

  /** Call a function whenever a node has another size. */
  measure(node, what) {
    this.observer = new ResizeObserver(what);
    this.observer.observe(node);
  }

  /** Draw once before the browser shows the next picture. */
  soon(draw) {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(draw);
  }

  /** Keep what Python sent: `old` is what it sent before, `other` whether that was about something
   *  else, and `answered` whether it knows all that the reader has done. */
  take(data) {
    const old = this.data;
    const other = old?.identity !== data.identity;
    this.data = data;
    if (other) {
      clearTimeout(this.timer);
      this.timer = 0;
      this.number = data.answered;
    }
    return { old, other, answered: !this.timer && data.answered >= this.number };
  }

  /** Tell Python, at once or after so many ms without a newer answer. */
  answer(state, patience = 0) {
    clearTimeout(this.timer);
    this.number += 1;
    const sent = { number: this.number, identity: this.data.identity, ...state };
    const send = () => {
      this.timer = 0;
      this.send(sent);
    };
    if (patience) this.timer = setTimeout(send, patience);
    else send();
    return sent;
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

/** A button of a row in which Tab stops once. */
function stop(name, text, place) {
  const button = make("button", name);
  button.textContent = text;
  button.translate = false;
  button.dataset.place = place;
  button.tabIndex = place ? -1 : 0;
  return button;
}

/** Arrow keys go from one button to the next in a group that has one stop for Tab. */
function walk(event, selector, group, keys = Object.keys(STEPS)) {
  const here = event.target.closest?.(selector);
  if (!here || !keys.includes(event.key)) return;
  event.preventDefault();
  const all = [...group.querySelectorAll(selector)];
  const next = all[all.indexOf(here) + STEPS[event.key]];
  if (!next) return;
  here.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The words of a node for those who hear it and for those who point at it. */
function hint(node, text) {
  node.setAttribute("aria-label", text);
  node.title = text;
}

/** Other children in a box; the focus stays at its place among them. */
function exchange(box, nodes) {
  const focused = [...box.children].indexOf(box.getRootNode().activeElement);
  box.replaceChildren(...nodes);
  nodes[focused]?.focus();
}

/** The number that a node, or what it lies in, stands for; else null. */
function numberOf(node, what) {
  const found = node.closest?.(`[data-${what}]`);
  return found ? Number(found.dataset[what]) : null;
}

/** Browsers give the clipboard to pages of this computer and of https alone. */
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = document.body.appendChild(document.createElement("textarea"));
  box.value = text;
  box.select();
  document.execCommand("copy");
  box.remove();
}
