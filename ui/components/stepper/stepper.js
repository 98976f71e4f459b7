// A slider, with buttons, keys and play where it goes through steps, for one number that figures of
// the page draw by: `signal` of their specification. Moving it asks nobody; Python hears of it when
// it has come to rest.

const PATIENCE = 400; // ms of rest until Python hears of it
const PACE = 800; // ms a step while it plays
const LOOK = 120; // ms between two looks for figures that were drawn anew
const MARGIN = 0.6; // of a figure's box stays to the left of the step, when it scrolls
const ROOM = 120; // pixels to the right of it that must be in view

export default function (component) {
  return answering(component, Stepper, ".stepper", "step");
}

class Stepper extends Answering {
  constructor(root) {
    super(root);
    this.slider = root.querySelector("input");
    this.buttons = Object.fromEntries(
      ["back", "play", "on"].map((name) => [name, root.querySelector(`.${name}`)]),
    );
    this.step = 0;
    this.clock = 0;
    this.followed = new Map(); // the step that each figure was last scrolled to, and from where
    this.looking = setInterval(() => this.apply(), LOOK);
    this.listen();
  }

  close() {
    super.close();
    clearInterval(this.looking);
    clearInterval(this.clock);
  }

  update(data) {
    const { other, answered } = this.take(data);
    this.slider.max = data.last;
    if (other) this.pause();
    if (answered && !this.clock) this.step = data.step;
    const { words } = data;
    this.root.setAttribute("aria-label", words.group);
    this.slider.setAttribute("aria-label", words.step);
    for (const [name, button] of Object.entries(this.buttons)) button.hidden = !data.steps;
    for (const name of data.steps ? ["back", "on"] : []) {
      hint(this.buttons[name], words[name]);
    }
    this.show();
  }

  listen() {
    this.hear(this.slider, "input", () => this.go(Number(this.slider.value)));
    this.hear(this.buttons.back, "click", () => this.go(this.step - 1));
    this.hear(this.buttons.on, "click", () => this.go(this.step + 1));
    this.hear(this.buttons.play, "click", () => (this.clock ? this.pause() : this.play()));
    const keys = { ArrowLeft: -1, ArrowRight: 1 };
    this.hear(document, "keydown", (event) => {
      const at = event.composedPath()[0];
      if (!this.data.steps) return;
      const typing = at.matches?.("input, textarea, select, [role=slider], [role=tab], [role=radio]");
      if (!(event.key in keys) || typing || event.altKey || event.ctrlKey || event.metaKey) return;
      this.go(this.step + keys[event.key]);
    });
  }

  go(step) {
    this.pause();
    this.move(step);
  }

  move(step) {
    this.step = Math.max(0, Math.min(this.data.last, step));
    this.show();
    this.answer({ step: this.step }, PATIENCE);
  }

  play() {
    if (this.step >= this.data.last) this.move(0);
    this.clock = setInterval(() => {
      this.move(this.step + 1);
      if (this.step >= this.data.last) this.pause();
    }, PACE);
    this.show();
  }

  pause() {
    clearInterval(this.clock);
    this.clock = 0;
    this.show();
  }

  show() {
    if (!this.data) return;
    const { last, words } = this.data;
    this.slider.value = this.step;
    const { names } = this.data;
    const value = names ? names[this.step] : (this.step * this.data.unit).toFixed(this.data.digits);
    const counted = this.data.steps && !names;
    this.root.querySelector("output").textContent = counted ? `${value} / ${last}` : value;
    this.slider.setAttribute("aria-valuetext", value);
    this.root.dataset.step = this.step;
    this.buttons.back.disabled = this.step === 0;
    this.buttons.on.disabled = this.step === last;
    this.buttons.play.textContent = (this.clock ? words.pause : words.play) ?? "";
    this.apply();
  }

  /** Let every figure draw by the step; one that Streamlit drew anew begins at its own. */
  apply() {
    if (!this.data) return;
    for (const { key, places } of this.data.figures) {
      const box = document.querySelector(`.st-key-scroll_${key}`);
      const knob = box?.querySelector(`.vega-bind input[name="${this.data.signal}"]`);
      if (!knob) continue;
      const value = Math.min(this.step * this.data.unit, Number(knob.max));
      if (Math.abs(Number(knob.value) - value) > this.data.unit / 4) {
        knob.value = value;
        knob.dispatchEvent(new Event("input", { bubbles: true }));
      }
      if (places) this.follow(key, box, places);
    }
  }

  /** Bring the step into view, or at the end what is open, once for each of them. */
  follow(key, box, places) {
    const at = this.step < this.data.last ? this.step : this.data.open;
    const before = this.followed.get(key);
    const [place, left] = [places[at], box.scrollLeft];
    if ((before?.at === at && before.there) || place > box.scrollWidth) return;
    const most = box.scrollWidth - box.clientWidth;
    const wanted = Math.min(Math.max(0, place - MARGIN * box.clientWidth), most);
    const seen = place >= left && place <= left + box.clientWidth - ROOM;
    const there = seen || Math.abs(left - wanted) < 2;
    // A smooth scroll that begins while the page is laid out may be dropped: it is asked for again
    // where the box stands still.
    if (!there && (before?.at !== at || before.left === left)) {
      box.scrollTo({ left: wanted, behavior: "smooth" });
    }
    this.followed.set(key, { at, left, there });
  }
}
