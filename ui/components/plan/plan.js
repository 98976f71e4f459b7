// The map of a model. Small, it shows where in the model the page is; opened, every box is a door to
// the page that explains it, and one token goes through it: the length of its vector stands on every
// arrow, its attention as arcs between the tokens.

const PACE = 240; // ms a step while it plays
const NARROW = 640; // pixels below which the lanes go down the screen instead of across
const SMALL = { unit: 7.5, lane: 8, rail: 4 }; // pixels: a box, a lane, between the lanes
const LOOK = 300; // ms between two looks at what the address says
const RAIL = 46; // pixels between the lanes
const MARGIN = 6;
const ARC = 26; // pixels above and below the tokens
const BETWEEN = 64; // pixels between the source and the target
const WIDEST = 7; // pixels of an arc whose weight is 1
const SVG = "http://www.w3.org/2000/svg";

export default function (component) {
  return answering(component, Plan, ".map", "said");
}

class Plan extends Answering {
  constructor(root) {
    super(root);
    const find = (selector) => root.querySelector(selector);
    this.small = find(".small");
    this.dialog = find("dialog");
    this.plan = find(".plan");
    this.slider = find("input");
    this.playing = 0;
    this.step = -1;
    this.hear(this.small, "click", () => this.open());
    this.hear(find(".close"), "click", () => this.dialog.close());
    this.hear(this.dialog, "click", (event) => event.target === this.dialog && this.dialog.close());
    this.hear(this.dialog, "close", () => this.pause());
    this.hear(find(".play"), "click", () => (this.playing || this.wanted ? this.pause() : this.play()));
    this.hear(this.slider, "input", () => this.go(Number(this.slider.value)));
    this.hear(root, "click", (event) => this.enter(event.target.closest("[data-door]")));
    this.measure(this.dialog, () => this.soon(() => this.drawPlan()));
    this.looking = setInterval(() => this.light(), LOOK);
  }

  close() {
    super.close();
    clearInterval(this.looking);
    clearInterval(this.playing);
  }

  update(data) {
    const { old } = this.take(data);
    hint(this.small, data.words.open);
    hint(this.root.querySelector(".close"), data.words.close);
    this.root.querySelector(".told").textContent = data.words.hint;
    this.slider.setAttribute("aria-label", data.words.step);
    this.dialog.setAttribute("aria-label", data.words.open);
    if (JSON.stringify(old?.way) !== JSON.stringify(data.way)) this.step = -1;
    this.drawSmall();
    this.drawPlan();
    if (this.wanted && data.way) this.play();
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

  /** Which parts the page is about, with what is chosen on it. */
  isLit({ lights }) {
    const asked = new URLSearchParams(location.search);
    const all = [...this.data.boxes, ...this.data.frames, this.data.model];
    const said = ({ lights }) =>
      lights !== null &&
      Object.entries(lights).every(([name, value]) => (asked.get(name) ?? this.data.chosen[name]) === value);
    return lights !== null && (said({ lights }) || !all.some(said));
  }

  light() {
    if (!this.data) return;
    const lit = (nodes, parts) =>
      nodes.forEach((node, i) => node.classList.toggle("lit", this.isLit(parts[i])));
    lit([...this.small.querySelectorAll("rect.box")], this.data.boxes);
    lit([...this.plan.querySelectorAll(".box")], this.data.boxes);
    lit([...this.plan.querySelectorAll(".layer")], this.data.frames);
    this.root.querySelector(".model").classList.toggle("lit", this.isLit(this.data.model));
    this.small.classList.toggle("lit", this.isLit(this.data.model));
  }

  drawSmall() {
    const { boxes } = this.data;
    const { unit, lane, rail } = SMALL;
    const svg = this.small.querySelector("svg");
    const length = Math.max(...boxes.map(({ at, size }) => at + size));
    const lanes = 1 + Math.max(...boxes.map((box) => box.lane));
    const height = lanes * lane + (lanes - 1) * rail;
    svg.setAttribute("viewBox", `0 0 ${length * unit} ${height}`);
    svg.style.width = `${length * unit}px`;
    svg.style.height = `${height}px`;
    svg.replaceChildren(
      ...boxes.map(({ at, size, lane: number, colour }) => {
        const box = shape("rect", {
          x: at * unit, y: number * (lane + rail), width: size * unit, height: lane, rx: 1.5,
        });
        box.setAttribute("class", "box");
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
    const length = Math.max(...[...boxes, ...frames].map(({ at, size }) => at + size));
    const room = this.plan.clientWidth - 2 * MARGIN;
    const unit = across ? room / length : 40;
    const thick = across ? 74 : (room - RAIL * (lanes.length - 1)) / lanes.length;
    const title = 24; // of a lane
    const laneAt = (lane) => MARGIN + lane * (thick + RAIL + (across ? title : 0)) + (across ? title : 0);
    const start = across ? MARGIN : MARGIN + title;
    const spot = (at, size, lane, out = 0) => {
      const [along, over] = [start + at * unit, laneAt(lane) - out];
      const [long, wide] = [size * unit, thick + 2 * out];
      return across ? [along, over, long, wide] : [over, along, wide, long];
    };
    const put = (node, [left, top, width, height]) =>
      Object.assign(node.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });

    const titles = lanes.map((text, lane) => {
      const node = make("div", "lane");
      node.textContent = text;
      Object.assign(node.style, across
        ? { left: `${MARGIN}px`, top: `${laneAt(lane) - title - 6}px` }
        : { left: `${laneAt(lane)}px`, top: `${MARGIN - 4}px` });
      return node;
    });
    const layers = frames.map((frame) => {
      const node = this.door("layer", frame);
      put(node, spot(frame.at, frame.size, frame.lane, across ? 10 : 6));
      return node;
    });
    const parts = boxes.map((box) => {
      const node = this.door("box", box);
      if (box.heads) node.append(Object.assign(make("small", ""), { textContent: box.heads }));
      if (box.colour) node.style.setProperty("--own", box.colour);
      if (box.part === "norm") node.classList.add("norm");
      put(node, spot(box.at, box.size, box.lane));
      return node;
    });
    const end = across ? laneAt(lanes.length - 1) + thick : start + length * unit;
    this.plan.style.height = `${end + 14}px`;
    this.arrows = this.drawArrows(spot, across);
    this.plan.replaceChildren(this.arrows.svg, ...titles, ...layers, ...parts, ...this.arrows.lengths);
    const name = this.root.querySelector(".model");
    name.textContent = model.name;
    name.dataset.door = model.door;
    hint(name, model.hint);
    this.light();
    this.show();
  }

  /** A button that leads to a page, or only a box where nothing does. */
  door(className, { name, hint: text, door }) {
    const node = make(door ? "button" : "div", className);
    const word = make("span", "");
    word.textContent = name;
    node.append(word);
    if (door) {
      node.dataset.door = door;
      hint(node, text);
    }
    return node;
  }

  /** Lines from box to box, and from the end of the source to the boxes that it goes to. */
  drawArrows(spot, across) {
    const { boxes, joins } = this.data;
    const svg = this.plan.querySelector("svg") ?? shape("svg", {});
    svg.replaceChildren();
    const middle = ([left, top, width, height]) => [left + width / 2, top + height / 2];
    const lengths = boxes.map((box, i) => {
      const next = boxes[i + 1];
      const here = spot(box.at, box.size, box.lane);
      if (next?.lane === box.lane) {
        const there = spot(next.at, next.size, next.lane);
        const [a, b] = [middle(here), middle(there)];
        svg.append(shape("path", { d: `M${a}L${b}`, class: "arrow", "data-box": i }));
      }
      const label = make("div", "length");
      const [left, top, width, height] = here;
      Object.assign(label.style, across
        ? { left: `${left + width}px`, top: `${top + height + 1}px` }
        : { left: `${left + width}px`, top: `${top + height - 8}px` });
      return label;
    });
    const last = boxes.findLastIndex((box) => box.lane === 0);
    for (const to of joins) {
      const [left, top, width, height] = spot(boxes[last].at, boxes[last].size, 0);
      const [l, t, w, h] = spot(boxes[to].at, boxes[to].size, 1);
      const d = across
        ? `M${left + width / 2} ${top + height}V${(top + height + t) / 2}H${l + w / 2}V${t}`
        : `M${left + width} ${top + height / 2}H${(left + width + l) / 2}V${t + h / 2}H${l}`;
      svg.append(shape("path", { d, class: "arrow join", "data-box": last }));
    }
    return { svg, lengths };
  }

  play() {
    if (!this.data.way) {
      this.wanted = true;
      this.answer({ way: true });
      return;
    }
    this.wanted = false;
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

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    this.wanted = false;
    this.show();
  }

  go(step) {
    this.pause();
    this.step = step;
    this.show();
  }

  /** The token where it is now, and what it has met so far. */
  show() {
    const { way, words } = this.data;
    const play = this.root.querySelector(".play");
    play.textContent = this.playing ? words.pause : words.play;
    this.slider.hidden = !way;
    this.root.querySelector(".tokens").hidden = !way?.tokens.length;
    if (!way || !this.arrows) return;
    this.slider.max = way.steps.length - 1;
    this.slider.value = Math.max(0, this.step);
    way.steps.forEach(({ box, length }, i) => {
      const label = this.arrows.lengths[box];
      label.textContent = length === null || i > this.step ? "" : length.toFixed(1);
      const node = this.plan.querySelectorAll(".box")[box];
      node.classList.toggle("here", i === this.step);
    });
    for (const arrow of this.arrows.svg.children) {
      arrow.classList.toggle("passed", Number(arrow.dataset.box) < (way.steps[this.step]?.box ?? -1));
    }
    const now = way.steps[this.step];
    const name = now ? this.data.boxes[now.box].name : "";
    const said = now && now.length !== null ? fill(words.length, { part: name, length: now.length.toFixed(2) }) : name;
    this.root.querySelector("output").textContent = said;
    this.slider.setAttribute("aria-valuetext", said);
    this.drawTokens(way, now);
  }

  drawTokens({ tokens, chosen }, now) {
    const box = this.root.querySelector(".tokens");
    if (!tokens.length) return;
    const svg = box.querySelector("svg");
    const rows = tokens.map((row, side) => {
      const line = make("div", "line");
      line.style.top = `${ARC + side * BETWEEN}px`;
      line.append(...row.map((text, i) => {
        const token = make("span", "token");
        token.translate = false;
        token.textContent = text;
        token.classList.toggle("chosen", i === chosen[side]);
        return token;
      }));
      return line;
    });
    box.replaceChildren(svg, ...rows);
    box.style.height = `${2 * ARC + (tokens.length - 1) * BETWEEN + 24}px`;
    svg.replaceChildren();
    if (!now?.weights) return;
    const [from, to] = now.sides.map((side) => (side === "source" ? 0 : 1));
    const colour = this.data.boxes[now.box].colour;
    const centre = (side, i) => {
      const token = rows[side].children[i];
      return token.offsetLeft + token.offsetWidth / 2;
    };
    const edge = (side, below) => ARC + side * BETWEEN + (below ? 22 : 0);
    const a = centre(from, chosen[from]);
    now.weights.forEach((weight, i) => {
      if (!weight || i >= rows[to].children.length) return;
      const b = centre(to, i);
      let d;
      if (from === to) {
        const y = edge(from, from === 1);
        const out = y + (from === 1 ? 1 : -1) * Math.min(ARC - 3, 8 + Math.abs(a - b) / 8) * 1.3;
        d = a === b
          ? `M${a - 5} ${y}C${a - 12} ${out} ${a + 12} ${out} ${a + 5} ${y}`
          : `M${a} ${y}C${a} ${out} ${b} ${out} ${b} ${y}`;
      } else {
        const [y, z] = [edge(1, false), edge(0, true)];
        d = `M${a} ${y}C${a} ${(y + z) / 2} ${b} ${(y + z) / 2} ${b} ${z}`;
      }
      const arc = shape("path", { d, class: "arc", "stroke-width": Math.max(0.8, weight * WIDEST) });
      if (colour) arc.style.stroke = colour;
      svg.append(arc);
    });
  }
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
