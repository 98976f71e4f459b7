// One row of weights as bars. Whoever drags one bar moves the others in proportion, so that the
// row always sums to one.
//
// Dragging stays here; Python hears of the row when the bar is let go, or shortly after the last
// key.

const PATIENCE = 250; // ms after the last key until Python hears of it
const SMALL = 0.01; // one press of an arrow key
const LARGE = 0.1; // with Shift, or Page up and Page down

export default function (component) {
  return answering(component, Row, ".row", "row");
}

class Row extends Answering {
  constructor(root) {
    super(root);
    this.box = root.querySelector(".bars");
    this.status = root.querySelector(".status");
    this.bars = [];
    this.weights = [];
    this.touched = null; // the bar that was changed or focused last
    this.drag = null; // { place, pointer }
    this.listen();
  }

  // --- data from Python

  update(data) {
    const { old, other, answered } = this.take(data);
    this.root.style.setProperty("--bar", data.colour);
    this.box.setAttribute("aria-label", data.words.bars);
    for (const name of ["computed", "even", "one"]) {
      this.root.querySelector(`.${name}`).textContent = data.words[name];
    }
    if (other) this.drag = this.touched = null;
    const renamed = !old || String(old.labels) !== String(data.labels);
    if (renamed || String(old.allowed) !== String(data.allowed)) this.build();
    if (!this.drag && answered) this.weights = [...data.weights];
    this.draw();
  }

  build() {
    const { labels, allowed } = this.data;
    this.bars = labels.map((label, place) => {
      const node = make("div", "bar");
      node.dataset.place = place;
      hint(node, label);
      node.setAttribute("role", "slider");
      node.setAttribute("aria-orientation", "vertical");
      node.setAttribute("aria-valuemin", "0");
      node.setAttribute("aria-valuemax", "1");
      node.setAttribute("aria-disabled", String(!allowed[place]));
      if (allowed[place]) node.tabIndex = 0;
      const parts = {};
      const add = (to, name) => (parts[name] = to.appendChild(make("div", name)));
      for (const name of ["number", "track", "name"]) add(node, name);
      for (const name of ["fill", "mark"]) add(parts.track, name);
      parts.name.textContent = label;
      return { node, ...parts };
    });
    exchange(this.box, this.bars.map((bar) => bar.node));
  }

  // --- what the person does

  listen() {
    const hear = (name, what) => this.hear(this.box, name, what);
    hear("pointerdown", (event) => this.grab(event));
    hear("pointermove", (event) => this.pull(event));
    hear("pointerup", (event) => this.release(event));
    hear("pointercancel", (event) => this.release(event));
    hear("keydown", (event) => this.press(event));
    hear("focusin", (event) => {
      this.touched = numberOf(event.target, "place") ?? this.touched;
    });
    const click = (name, what) => this.hear(this.root.querySelector(name), "click", what);
    click(".computed", () => {
      this.weights = [...this.data.computed];
      this.draw();
      this.tell(null);
    });
    click(".even", () => this.give(this.data.allowed.map(Number)));
    click(".one", () => {
      const best = this.touched ?? this.weights.indexOf(Math.max(...this.weights));
      this.give(this.weights.map((_, place) => Number(place === best)));
    });
  }

  grab(event) {
    const place = numberOf(event.target, "place");
    if (place === null || !this.data.allowed[place] || event.button) return;
    const { node, track } = this.bars[place];
    // Only the track is for dragging: a tap on a name chooses it.
    const box = track.getBoundingClientRect();
    node.focus({ preventScroll: true });
    this.touched = place;
    if (event.clientY < box.top - 14 || event.clientY > box.bottom + 6) return;
    event.preventDefault();
    this.drag = { place, pointer: event.pointerId };
    this.box.setPointerCapture(event.pointerId);
    this.pull(event);
  }

  pull(event) {
    if (this.drag?.pointer !== event.pointerId) return;
    const box = this.bars[this.drag.place].track.getBoundingClientRect();
    this.set(this.drag.place, (box.bottom - event.clientY) / box.height);
  }

  release(event) {
    if (this.drag?.pointer !== event.pointerId) return;
    this.drag = null;
    this.tell(this.weights);
  }

  press(event) {
    const place = numberOf(event.target, "place");
    if (place === null) return;
    const step = event.shiftKey ? LARGE : SMALL;
    const values = {
      ArrowUp: this.weights[place] + step,
      ArrowDown: this.weights[place] - step,
      PageUp: this.weights[place] + LARGE,
      PageDown: this.weights[place] - LARGE,
      Home: 0,
      End: 1,
    };
    if (event.key in values) {
      this.set(place, values[event.key]);
      this.tell(this.weights, PATIENCE);
    } else if (event.key in STEPS) {
      this.step(place, STEPS[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Focus the next bar in a direction that can be dragged. */
  step(place, way) {
    for (let next = place + way; next >= 0 && next < this.bars.length; next += way) {
      if (this.data.allowed[next]) {
        this.bars[next].node.focus();
        return;
      }
    }
  }

  /** Give one bar a weight, the others what is left, in proportion to what they had. */
  set(place, value) {
    const { allowed } = this.data;
    const others = allowed.map((may, i) => (may && i !== place ? i : -1)).filter((i) => i >= 0);
    const wanted = others.length ? Math.max(0, Math.min(1, value)) : 1;
    const held = others.reduce((sum, i) => sum + this.weights[i], 0);
    for (const i of others) {
      const share = held > 1e-9 ? this.weights[i] / held : 1 / others.length;
      this.weights[i] = share * (1 - wanted);
    }
    this.weights[place] = wanted;
    this.draw();
  }

  give(weights) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    this.weights = weights.map((weight) => weight / total);
    this.draw();
    this.tell(this.weights);
  }

  tell(weights, patience) {
    this.answer({ weights: weights && [...weights] }, patience);
  }

  // --- the picture

  draw() {
    this.bars.forEach(({ node, number, fill, mark }, place) => {
      const weight = this.weights[place];
      number.textContent = this.data.allowed[place] ? short(weight) : "";
      fill.style.height = `${weight * 100}%`;
      mark.style.bottom = `${this.data.computed[place] * 100}%`;
      node.setAttribute("aria-valuenow", weight.toFixed(3));
    });
    const sum = this.weights.reduce((total, weight) => total + weight, 0);
    this.status.textContent = fill(this.data.words.sum, { sum: sum.toFixed(3) });
    this.root.dataset.weights = this.weights.map((weight) => weight.toFixed(4)).join(" ");
  }
}

function short(weight) {
  return weight < 0.005 ? "0" : weight > 0.995 ? "1" : weight.toFixed(2).slice(1);
}
