// The map of a model. Small, it shows where in the model the page is; opened, every box is a door to
// the page that explains it, and one token goes through it: the length of its vector stands on every
// arrow, its attention as arcs between the tokens. On the first page it is a band, whose boxes are
// doors as well, and in which the token goes its way once by itself.

const PACE = 240; // ms a step while it plays
const NARROW = 640; // pixels below which the lanes go down the screen instead of across
const SMALL = { unit: 4, lane: 8, rail: 4 }; // pixels: a box, a lane, between the lanes
const LOOK = 300; // ms between two looks at what the address says
const RAIL = 46; // pixels between the lanes
const TITLE = 24; // pixels of a lane's name
const MARGIN = 6;
const ARC = 26; // pixels above and below the tokens
const BETWEEN = 64; // pixels between the source and the target
const WIDEST = 7; // pixels of an arc whose weight is 1
const BAND = { lane: 25, rail: 12, gap: 4, layer: 9, guide: 148 }; // pixels: lanes, between them, boxes, layers
const FOLLOWED = "attentionLabFollowed"; // in the browser's store, once the token went its way
const FIRST_LOOK = 1500; // ms that a reader has for the page before something moves

export default function (component) {
  return answering(component, Plan, ".map", "said");
}

class Plan extends Answering {
  constructor(root) {
    super(root);
    this.find = (selector) => root.querySelector(selector);
    for (const name of ["small", "dialog", "plan", "model", "play", "tokens"]) {
      this[name] = this.find(name === "dialog" ? name : `.${name}`);
    }
    this.slider = this.find("input");
    this.band = new Band(this);
    this.playing = 0;
    this.step = -1;
    this.hear(this.small, "click", () => this.open());
    this.hear(this.find(".close"), "click", () => this.dialog.close());
    this.hear(this.dialog, "click", (event) => event.target === this.dialog && this.dialog.close());
    this.hear(this.dialog, "close", () => this.pause());
    this.hear(this.play, "click", () => (this.playing || this.wanted ? this.pause() : this.start()));
    this.hear(this.slider, "input", () => this.pause(Number(this.slider.value)));
    this.hear(root, "click", (event) => this.enter(event.target.closest("[data-door]")));
    this.measure(this.dialog, () => this.soon(() => this.drawPlan()));
    this.hear(this.find(".large"), "click", () => this.open());
    this.looking = setInterval(() => this.light(), LOOK);
  }

  close() {
    super.close();
    clearInterval(this.looking);
    clearInterval(this.playing);
    this.band.close();
  }

  update(data) {
    const { old } = this.take(data);
    hint(this.small, data.words.open);
    hint(this.find(".close"), data.words.close);
    this.find(".told").textContent = data.words.hint;
    this.slider.setAttribute("aria-label", data.words.step);
    this.dialog.setAttribute("aria-label", data.words.open);
    if (JSON.stringify(old?.way) !== JSON.stringify(data.way)) this.step = -1;
    this.find(".word").textContent = data.words.open;
    this.drawSmall();
    this.drawPlan();
    this.band.update(data);
    if (this.wanted && data.way) this.start();
  }

  open() {
    this.dialog.showModal();
    this.drawPlan();
  }

  enter(door) {
    if (!door?.dataset.door) return;
    this.dialog.close();
    this.answer({ door: door.dataset.door });
  }

  /** Mark the parts that the page is about with what is chosen on it; where none is, all it names. */
  light() {
    if (!this.data) return;
    const { boxes, frames, model, chosen } = this.data;
    const asked = new URLSearchParams(location.search);
    const said = ({ lights }) =>
      lights && Object.entries(lights).every(([name, value]) => (asked.get(name) ?? chosen[name]) === value);
    const any = [...boxes, ...frames, model].some(said);
    const mark = (nodes, parts) =>
      nodes.forEach((node, i) => node.classList.toggle("lit", Boolean(any ? said(parts[i]) : parts[i].lights)));
    mark(this.small.querySelectorAll("rect"), boxes);
    mark(this.plan.querySelectorAll(".box"), boxes);
    mark(this.find(".lanes").querySelectorAll(".box"), boxes);
    mark(this.plan.querySelectorAll(".layer"), frames);
    mark([this.model, this.small], [model, model]);
  }

  drawSmall() {
    const { boxes, lanes } = this.data;
    const { unit, lane, rail } = SMALL;
    const svg = this.small.querySelector("svg");
    const [width, height] = [unit * lengthOf(boxes), lanes.length * (lane + rail) - rail];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    place(svg, { width, height });
    svg.replaceChildren(
      ...boxes.map(({ at, size, lane: number, colour }) => {
        const y = number * (lane + rail);
        const box = shape("rect", { x: at * unit, y, width: size * unit, height: lane, rx: 1.5, class: "box" });
        if (colour) box.style.setProperty("--own", colour);
        return box;
      }),
    );
    this.light();
  }

  drawPlan() {
    if (!this.data || !this.dialog.open) return;
    const { boxes, frames, lanes, model } = this.data;
    const across = this.plan.clientWidth >= NARROW;
    this.root.classList.toggle("down", !across);
    const length = lengthOf([...boxes, ...frames]);
    const room = this.plan.clientWidth - 2 * MARGIN;
    const unit = across ? room / length : 40;
    const thick = across ? 74 : (room - RAIL * (lanes.length - 1)) / lanes.length;
    const [above, start] = across ? [TITLE, MARGIN] : [0, MARGIN + TITLE];
    const laneAt = (lane) => MARGIN + above + lane * (thick + RAIL + above);
    const spot = ({ at, size, lane }, out = 0) => {
      const [along, over] = [start + at * unit, laneAt(lane) - out];
      const [long, wide] = [size * unit, thick + 2 * out];
      return across
        ? { left: along, top: over, width: long, height: wide }
        : { left: over, top: along, width: wide, height: long };
    };

    const titles = lanes.map((text, i) =>
      place(named("div", "lane", text), across ? { left: MARGIN, top: laneAt(i) - TITLE - 6 } : { left: laneAt(i), top: 2 }),
    );
    const layers = frames.map((frame) => place(door("layer", frame), spot(frame, across ? 10 : 6)));
    const parts = boxes.map((box) => place(door("box", box), spot(box)));
    const end = across ? laneAt(lanes.length - 1) + thick : start + length * unit;
    place(this.plan, { height: end + 14 });
    this.arrows = this.arrowsOf(boxes.map((box) => spot(box)), across);
    this.lengths = boxes.map((box) => {
      const { left, top, width, height } = spot(box);
      return place(make("div", "length"), { left: left + width, top: top + height + (across ? 1 : -8) });
    });
    const svg = this.plan.querySelector("svg");
    svg.replaceChildren(...this.arrows);
    this.boxes = parts;
    this.plan.replaceChildren(svg, ...titles, ...layers, ...parts, ...this.lengths);
    this.model.textContent = model.name;
    this.model.dataset.door = model.door;
    hint(this.model, model.hint);
    this.light();
    this.show();
  }

  /** Lines from box to box, and from the end of the source to the boxes that it goes to. */
  arrowsOf(spots, across) {
    const { boxes, joins } = this.data;
    const arrow = (d, i, name = "arrow") => shape("path", { d, class: name, "data-box": i });
    const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
    const last = boxes.findLastIndex((box) => box.lane === 0);
    const end = spots[last];
    const [x, y] = middle(end);
    return [
      ...boxes.flatMap((box, i) =>
        boxes[i + 1]?.lane === box.lane ? [arrow(`M${middle(spots[i])}L${middle(spots[i + 1])}`, i)] : [],
      ),
      ...joins.map((to) => {
        const { left, top } = spots[to];
        const [toX, toY] = middle(spots[to]);
        const d = across
          ? `M${x} ${end.top + end.height}V${(end.top + end.height + top) / 2}H${toX}V${top}`
          : `M${end.left + end.width} ${y}H${(end.left + end.width + left) / 2}V${toY}H${left}`;
        return arrow(d, last, "arrow join");
      }),
    ];
  }

  start() {
    this.wanted = !this.data.way;
    if (this.wanted) return this.answer({ way: true });
    const last = this.data.way.steps.length - 1;
    this.step = this.step >= last ? 0 : Math.max(0, this.step);
    clearInterval(this.playing);
    this.playing = setInterval(() => {
      if (this.step >= last) return this.pause();
      this.step += 1;
      this.show();
    }, PACE);
    this.show();
  }

  pause(step = this.step) {
    clearInterval(this.playing);
    this.playing = 0;
    this.wanted = false;
    this.step = step;
    this.show();
  }

  /** The token where it is now, and what it has met so far. */
  show() {
    const { way, words, boxes } = this.data;
    this.play.textContent = this.playing ? words.pause : words.play;
    this.slider.hidden = !way;
    this.tokens.hidden = !way?.tokens.length;
    if (!way || !this.arrows) return;
    this.slider.max = way.steps.length - 1;
    this.slider.value = Math.max(0, this.step);
    way.steps.forEach(({ length }, i) => {
      this.lengths[i].textContent = length === null || i > this.step ? "" : length.toFixed(1);
      this.boxes[i].classList.toggle("here", i === this.step);
    });
    for (const arrow of this.arrows) arrow.classList.toggle("passed", arrow.dataset.box < this.step);
    const now = way.steps[this.step];
    const part = now ? boxes[this.step].name : "";
    const length = now?.length?.toFixed(2);
    const said = length ? fill(words.length, { part, length }) : part;
    this.find(".length-told").textContent = said;
    this.slider.setAttribute("aria-valuetext", said);
    if (way.tokens.length) this.drawTokens(way, now);
  }

  drawTokens({ tokens, chosen }, now) {
    const svg = this.tokens.querySelector("svg");
    const rows = tokens.map((row, side) => {
      const line = place(make("div", "line"), { top: ARC + side * BETWEEN });
      line.append(...row.map((text, i) => {
        const token = named("span", i === chosen[side] ? "token chosen" : "token", text);
        token.translate = false;
        return token;
      }));
      return line;
    });
    this.tokens.replaceChildren(svg, ...rows);
    place(this.tokens, { height: 2 * ARC + (tokens.length - 1) * BETWEEN + 24 });
    svg.replaceChildren();
    if (!now?.weights) return;
    const [from, to] = now.sides;
    const centre = (side, i) => {
      const { offsetLeft, offsetWidth } = rows[side].children[i];
      return offsetLeft + offsetWidth / 2;
    };
    const edge = (side, below) => ARC + side * BETWEEN + (below ? 22 : 0);
    const a = centre(from, chosen[from]);
    const [y, z] = from === to ? [edge(from, from === 1), edge(from, from === 1)] : [edge(1, false), edge(0, true)];
    now.weights.forEach((weight, i) => {
      if (!weight || i >= rows[to].children.length) return;
      const b = centre(to, i);
      const high = (from === 1 ? 1.3 : -1.3) * Math.min(ARC - 3, 8 + Math.abs(a - b) / 8);
      const out = from === to ? y + high : (y + z) / 2;
      const d = from === to && a === b
        ? `M${a - 5} ${y}C${a - 12} ${out} ${a + 12} ${out} ${a + 5} ${y}`
        : `M${a} ${y}C${a} ${out} ${b} ${out} ${b} ${z}`;
      const arc = shape("path", { d, class: "arc", "stroke-width": Math.max(0.8, weight * WIDEST) });
      arc.style.stroke = this.data.boxes[this.step].colour;
      svg.append(arc);
    });
  }
}

/** The map as a band below the sentence: one row of boxes a lane, and a button that sends a token through. */
class Band {
  constructor(plan) {
    this.plan = plan;
    for (const name of ["band", "lanes", "follow", "met", "large"]) this[name] = plan.find(`.${name}`);
    this.timer = 0;
    plan.hear(this.follow, "click", () => (this.timer ? this.stop() : this.start()));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(plan.root);
  }

  close() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  update(data) {
    this.data = data;
    const walk = JSON.stringify(data.glance);
    if (this.walk !== walk) this.stop(-1);
    this.walk = walk;
    this.large.textContent = "⤢";
    hint(this.large, data.words.open);
    this.draw();
    if (!data.wide || this.begun || hasFollowed() || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.begun = true;
    this.timer = setTimeout(() => this.start(), FIRST_LOOK);
  }

  draw() {
    if (!this.data) return;
    const { root } = this.plan;
    const shows = Boolean(this.data.wide && root.clientWidth >= NARROW);
    root.classList.toggle("wide", shows);
    this.band.hidden = !shows;
    this.plan.small.hidden = shows;
    if (!shows) return;
    const { boxes, lanes } = this.data;
    const { lane, rail, gap, layer: between } = BAND;
    const spaces = boxes.map((box, i) => {
      const before = boxes[i - 1];
      if (!before || before.lane !== box.lane) return 0;
      return before.layer === box.layer ? gap : between;
    });
    const sum = (of, side) => boxes.reduce((all, box, i) => all + (box.lane === side ? of[i] : 0), 0);
    const sizes = boxes.map(({ size }) => size);
    const room = root.clientWidth - BAND.guide;
    const unit = Math.min(110, ...lanes.map((_, side) => (room - sum(spaces, side)) / sum(sizes, side)));
    const ends = lanes.map(() => 0);
    this.boxes = boxes.map((box, i) => {
      const left = ends[box.lane] + spaces[i];
      ends[box.lane] = left + unit * box.size;
      const node = door("box", { ...box, name: box.short, heads: "" });
      if (!box.door) node.title = box.name;
      return place(node, { left, top: box.lane * (lane + rail), width: unit * box.size, height: lane });
    });
    this.lanes.replaceChildren(this.joins(ends), ...this.boxes);
    place(this.lanes, { height: lanes.length * (lane + rail) - rail });
    this.plan.light();
    this.show();
  }

  /** The line from the end of the source to the boxes that read it. */
  joins(ends) {
    const { lane, rail } = BAND;
    const { joins } = this.data;
    const svg = shape("svg", { "aria-hidden": "true" });
    const centre = (i) => Number.parseFloat(this.boxes[i].style.left) + Number.parseFloat(this.boxes[i].style.width) / 2;
    if (!joins.length) return svg;
    const [y, from] = [lane + rail / 2, ends[0] - 8];
    svg.append(shape("path", { class: "arrow join", d: `M${from} ${lane}V${y}H${centre(joins[0])}` }));
    for (const i of joins) svg.append(shape("path", { class: "arrow join", d: `M${centre(i)} ${y}V${lane + rail}` }));
    return svg;
  }

  start() {
    if (!this.data.glance?.chosen.length) return;
    try {
      localStorage.setItem(FOLLOWED, "1");
    } catch {} // a browser that keeps nothing plays it again
    this.stop(0);
    this.next();
  }

  next() {
    this.timer = setTimeout(() => {
      if (this.step >= this.data.boxes.length - 1) return this.stop(-1);
      this.step += 1;
      this.next();
      this.show();
    }, PACE);
    this.show();
  }

  stop(step = -1) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.step = step;
    this.show();
  }

  show() {
    if (!this.boxes || !this.data) return;
    const { words, boxes, glance } = this.data;
    const plays = this.timer && this.step >= 0;
    this.follow.textContent = plays ? words.pause : words.play;
    this.follow.hidden = !glance?.chosen.length;
    this.boxes.forEach((node, i) => {
      node.classList.toggle("here", i === this.step);
      node.classList.toggle("passed", i < this.step);
    });
    this.met.textContent = this.step < 0 ? "" : this.told(boxes[this.step], glance.steps[this.step], glance);
  }

  /** The part, and for an attention the token that gets most from the followed one. */
  told(box, { weights, sides }, { tokens, chosen }) {
    if (!weights) return fill(this.data.words.at, { token: tokens[box.lane][chosen[box.lane]], part: box.name });
    const [from, to] = sides;
    const most = weights.indexOf(Math.max(...weights));
    const values = { token: tokens[from][chosen[from]], key: tokens[to][most], weight: weights[most].toFixed(2) };
    return fill(this.data.words.most, values);
  }
}

function hasFollowed() {
  try {
    return localStorage.getItem(FOLLOWED) !== null;
  } catch {
    return false;
  }
}

/** A button that leads to a page, or only a box where nothing does. */
function door(name, { name: text, hint: told, door, heads, colour, part }) {
  const node = make(door ? "button" : "div", name);
  node.append(named("span", "", text));
  if (heads) node.append(named("small", "", heads));
  if (colour) node.style.setProperty("--own", colour);
  if (part.endsWith("norm")) node.classList.add("norm");
  if (door) {
    node.dataset.door = door;
    hint(node, told);
  }
  return node;
}

const lengthOf = (boxes) => Math.max(...boxes.map(({ at, size }) => at + size));

const named = (tag, name, text) => Object.assign(make(tag, name), { textContent: text });

/** A node with some of its edges and sizes, in pixels. */
function place(node, edges) {
  for (const [name, value] of Object.entries(edges)) node.style[name] = `${value}px`;
  return node;
}

function shape(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
