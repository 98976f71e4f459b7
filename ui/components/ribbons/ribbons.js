// Attention heads as ribbons between two columns of tokens.
//
// What is pointed at stays here; what is clicked goes to Python as one state, `choice`, which names
// everything that is chosen.

const PATIENCE = 280; // ms to wait for the second click on a chip before Python hears of the first
const MOST = 6000; // links drawn while nothing is in focus; more would take long
const NAMED = 4; // links named in the line of text
const ROWS = { least: 15, most: 36, high: 360, else: 440 }; // px of a row, of all rows, of what else the screen holds
const NUMBER = 30; // px of a weight beside its token
const LEAST_WRITTEN = 0.01;
const SIDES = ["query", "key"];

export default function (component) {
  return answering(component, Ribbons, ".ribbons", "choice");
}

class Ribbons extends Answering {
  constructor(root) {
    super(root);
    this.chips = root.querySelector(".chips");
    this.status = root.querySelector(".status");
    this.canvas = root.querySelector("canvas");
    this.middle = root.querySelector(".middle");
    this.columns = {
      query: root.querySelector(".query .tokens"),
      key: root.querySelector(".key .tokens"),
    };
    this.chipButtons = [];
    this.buttons = { query: [], key: [] };
    this.pointed = null; // { side, place }
    this.locked = { query: [], key: [] };
    this.side = "query"; // the side whose lock is drawn when both have one
    this.heads = new Set();
    this.overview = document.createElement("canvas");
    this.overviewIsOld = true;
    this.measure(this.middle, () => this.resize());
    this.listen();
  }

  // --- data from Python

  update(data) {
    const { old, other, answered } = this.take(data);
    this.name();
    if (!old || old.weights !== data.weights) {
      this.weights = numbers(data.weights, Uint16Array);
    }
    if (!old || old.links !== data.links) {
      this.links = numbers(data.links, Uint32Array);
    }
    if (other || String(old.labels.query) !== String(data.labels.query)) this.buildTokens();
    if (!old || String([old.colours, old.roles]) !== String([data.colours, data.roles])) this.buildChips();
    if (other) this.pointed = null;
    if (answered) this.open(data.choice);
    this.overviewIsOld = true;
    this.resize();
    this.mark();
  }

  /** What stands around the tokens, in the reader's language. */
  name() {
    const { words } = this.data;
    this.chips.setAttribute("aria-label", words.heads);
    for (const side of SIDES) {
      const column = this.columns[side].parentElement;
      column.setAttribute("aria-label", words[side].side);
      column.querySelector(".title").textContent = words[side].title;
    }
  }

  open(choice) {
    this.locked = { query: [...choice.rows], key: [...choice.columns] };
    this.side = choice.side;
    this.heads = new Set(choice.heads);
  }

  buildChips() {
    const named = (label, hint) => {
      const chip = make("button", "chip");
      chip.textContent = label;
      chip.title = hint;
      return chip;
    };
    this.chipButtons = this.data.colours.map((colour, head) => {
      const chip = named(String(head + 1), this.data.words.chip_hint);
      chip.dataset.head = head;
      chip.style.setProperty("--head", colour);
      const role = this.data.roles[head];
      if (role) chip.appendChild(make("span", "role")).textContent = role;
      chip.setAttribute("aria-label", fill(this.data.words.chip, { head: head + 1 }));
      return chip;
    });
    this.every = named(this.data.words.every, this.data.words.every_hint);
    this.every.classList.add("every");
    this.chips.replaceChildren(...this.chipButtons, this.every);
    this.chips.style.display = this.chipButtons.length > 1 ? "" : "none"; // one is always on
  }

  buildTokens() {
    const { labels } = this.data;
    const rows = Math.max(labels.query.length, labels.key.length);
    const high = Math.max(ROWS.high, window.innerHeight - ROWS.else);
    this.row = Math.round(Math.max(ROWS.least, Math.min(ROWS.most, high / rows)));
    this.root.style.setProperty("--row", `${this.row}px`);
    this.root.style.setProperty("--letters", `${Math.max(10, Math.min(13, this.row * 0.66))}px`);
    for (const side of SIDES) {
      this.buttons[side] = labels[side].map((label, place) => {
        const button = stop("token", label, place);
        button.title = `${place + 1} · ${label}`;
        button.dataset.side = side;
        const spot = { place: place + 1, token: label };
        button.setAttribute("aria-label", fill(this.data.words[side].token, spot));
        return button;
      });
      this.columns[side].replaceChildren(...this.buttons[side]);
    }
  }

  // --- what the reader does

  listen() {
    for (const side of SIDES) {
      const hear = (name, what) => this.hear(this.columns[side], name, what);
      hear("pointermove", (event) => {
        if (event.pointerType !== "touch") this.point(spotOf(event.target));
      });
      hear("pointerleave", () => this.point(null));
      hear("focusin", (event) => {
        if (event.target.matches(":focus-visible")) this.point(spotOf(event.target));
      });
      hear("focusout", () => this.point(null));
      hear("keydown", (event) => this.walk(event));
      hear("click", (event) => {
        const spot = spotOf(event.target);
        if (spot) this.lock(spot);
      });
    }
    this.hear(this.chips, "click", (event) => this.press(event));
  }

  press(event) {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    const alone = event.shiftKey || event.detail >= 2;
    if (chip === this.every) this.toggleEvery();
    else if (alone) this.heads = new Set([Number(chip.dataset.head)]);
    else this.toggle(Number(chip.dataset.head));
    this.overviewIsOld = true;
    this.mark();
    this.tell(PATIENCE);
  }

  point(spot) {
    const old = this.pointed;
    if (old?.side === spot?.side && old?.place === spot?.place) return;
    if (old) this.buttons[old.side][old.place]?.classList.remove("pointed");
    if (spot) this.buttons[spot.side][spot.place].classList.add("pointed");
    this.pointed = spot;
    this.plan();
  }

  lock({ side, place }) {
    const held = this.locked[side];
    this.locked[side] = held.includes(place) ? [] : [place];
    this.side = this.locked[side].length ? side : other(side);
    this.mark();
    this.tell();
  }

  toggle(head) {
    if (!this.heads.delete(head)) this.heads.add(head);
  }

  toggleEvery() {
    const count = this.data.colours.length;
    const open = [this.data.open];
    this.heads = new Set(this.heads.size === count ? open : Array(count).keys());
  }

  walk(event) {
    const spot = spotOf(event.target);
    if (!spot) return;
    const across = { ArrowLeft: "query", ArrowRight: "key" }[event.key] ?? spot.side;
    const column = this.buttons[across];
    const last = column.length - 1;
    const places = {
      ArrowUp: spot.place - 1,
      ArrowDown: spot.place + 1,
      ArrowLeft: spot.place,
      ArrowRight: spot.place,
      Home: 0,
      End: last,
    };
    if (!(event.key in places)) return;
    event.preventDefault();
    const next = column[Math.max(0, Math.min(last, places[event.key]))];
    for (const button of column) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  }

  tell(patience) {
    const { query: rows, key: columns } = this.locked;
    const heads = [...this.heads].sort((a, b) => a - b);
    this.answer({ rows, columns, side: this.side, heads }, patience);
  }

  // --- the picture

  mark() {
    for (const side of SIDES) {
      this.buttons[side].forEach((button, place) => {
        button.setAttribute("aria-pressed", this.locked[side].includes(place));
      });
    }
    this.chipButtons.forEach((chip, head) => {
      chip.setAttribute("aria-pressed", this.heads.has(head));
    });
    this.every.setAttribute("aria-pressed", this.heads.size === this.chipButtons.length);
    this.plan();
  }

  plan() {
    this.soon(() => this.draw());
  }

  resize() {
    if (!this.data) return;
    const { labels } = this.data;
    const width = this.middle.clientWidth;
    const height = this.row * Math.max(labels.query.length, labels.key.length);
    const scale = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.overview]) {
      if (canvas.width !== Math.round(width * scale) || canvas.height !== height * scale) {
        canvas.width = Math.round(width * scale);
        canvas.height = height * scale;
        this.overviewIsOld = true;
      }
    }
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    Object.assign(this, { width, height, scale });
    this.plan();
  }

  /** What to draw: the token pointed at, or else the locked ones. */
  focus() {
    if (this.pointed) return { side: this.pointed.side, places: [this.pointed.place] };
    for (const side of [this.side, other(this.side)]) {
      if (this.locked[side].length) return { side, places: this.locked[side] };
    }
    return null;
  }

  draw() {
    if (!this.data || !this.width) return;
    const heads = [...this.heads].sort((a, b) => a - b);
    const focus = this.focus();
    const pen = this.pen(this.canvas);
    const places = this.geometry(heads, focus);
    const shown = focus ? this.linksOf(heads, focus) : null;
    if (focus) {
      this.drawFocus(pen, places, shown);
      this.drawStrips(pen, places, heads, focus);
    } else {
      if (this.overviewIsOld) this.drawOverview(places, heads);
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.drawImage(this.overview, 0, 0);
    }
    this.write(heads, focus, shown);
    const count = shown ? shown.length : this.overviewCount;
    Object.assign(this.root.dataset, {
      links: count,
      focus: focus ? `${focus.side} ${focus.places.join(" ")}` : "",
    });
  }

  pen(canvas) {
    const pen = canvas.getContext("2d");
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    pen.globalAlpha = 1;
    pen.clearRect(0, 0, this.width, this.height);
    return pen;
  }

  /** Where curves begin and end, and the size of a strip's squares. */
  geometry(heads, focus) {
    const n = Math.max(heads.length, 1);
    const square = Math.max(2, Math.min(this.row - 5, 11, Math.floor((this.width * 0.22) / n) - 1));
    const strip = n * (square + 1);
    const apart = Math.min(2.5, (0.6 * this.row) / n);
    const beside = new Map(heads.map((head, i) => [head, (i - (heads.length - 1) / 2) * apart]));
    const number = heads.length === 1 ? NUMBER : 0;
    const room = (side) => (focus && focus.side !== side ? strip + 5 + number : 3);
    return { square, strip, number, left: room("query"), right: this.width - room("key"), beside };
  }

  curve(pen, { left, right, beside }, [head, query, key]) {
    const shift = beside.get(head);
    const from = (query + 0.5) * this.row + shift;
    const to = (key + 0.5) * this.row + shift;
    const bend = (left + right) / 2;
    pen.moveTo(left, from);
    pen.bezierCurveTo(bend, from, bend, to, right, to);
  }

  /** The links of `heads` at the focus as [head, query, key, weight], weakest first. */
  linksOf(heads, focus) {
    const nKeys = this.data.labels.key.length;
    const cells = this.data.labels.query.length * nKeys;
    const on = new Uint8Array(this.data.colours.length);
    for (const head of heads) on[head] = 1;
    const wanted = focus && new Set(focus.places);
    const found = [];
    for (const index of this.links) {
      const head = Math.floor(index / cells);
      if (!on[head]) continue;
      const query = Math.floor((index % cells) / nKeys);
      const key = index % nKeys;
      if (wanted && !wanted.has(focus.side === "query" ? query : key)) continue;
      found.push([head, query, key, this.weights[index] / FULL]);
    }
    return found.sort((a, b) => a[3] - b[3]);
  }

  drawFocus(pen, places, shown) {
    for (const link of shown) {
      pen.strokeStyle = this.data.colours[link[0]];
      pen.globalAlpha = 0.25 + 0.7 * link[3];
      pen.lineWidth = 0.8 + link[3] * this.row * 0.5;
      pen.beginPath();
      this.curve(pen, places, link);
      pen.stroke();
    }
  }

  drawOverview(places, heads) {
    const pen = this.pen(this.overview);
    const all = this.linksOf(heads, null);
    const shown = all.slice(-MOST);
    for (const link of shown) {
      pen.strokeStyle = this.data.colours[link[0]];
      pen.globalAlpha = 0.12 + 0.78 * link[3];
      pen.lineWidth = 0.6 + link[3] * this.row * 0.5;
      pen.beginPath();
      this.curve(pen, places, link);
      pen.stroke();
    }
    this.overviewOf = all.length;
    this.overviewCount = shown.length;
    this.overviewIsOld = false;
  }

  /** The weight of one head between the focus and one token of the other side; null if masked. */
  weightAt(head, focus, place) {
    const nQueries = this.data.labels.query.length;
    const nKeys = this.data.labels.key.length;
    let sum = 0;
    let seen = 0;
    for (const held of focus.places) {
      const [query, key] = focus.side === "query" ? [held, place] : [place, held];
      const weight = this.weights[(head * nQueries + query) * nKeys + key];
      if (weight === MASKED) continue;
      seen += 1;
      sum += weight / FULL;
    }
    if (!seen) return null;
    // Mean over queries, sum over keys.
    return focus.side === "query" ? sum / focus.places.length : sum;
  }

  drawStrips(pen, { square, strip, number }, heads, focus) {
    const side = other(focus.side);
    const left = side === "query" ? 2 : this.width - strip - 1;
    const ink = getComputedStyle(this.root).color;
    pen.lineWidth = 0.5;
    pen.textBaseline = "middle";
    pen.font = `${Math.min(12, this.row - 3)}px ${getComputedStyle(this.root).fontFamily}`;
    for (let place = 0; place < this.data.labels[side].length; place += 1) {
      const top = place * this.row + (this.row - square) / 2;
      heads.forEach((head, i) => {
        const weight = this.weightAt(head, focus, place);
        if (weight === null) return;
        const x = left + i * (square + 1);
        pen.globalAlpha = Math.min(1, weight);
        pen.fillStyle = this.data.colours[head];
        pen.fillRect(x, top, square, square);
        pen.globalAlpha = 0.22;
        pen.strokeStyle = ink;
        pen.strokeRect(x, top, square, square);
        if (!number || weight < LEAST_WRITTEN) return;
        pen.globalAlpha = 1;
        pen.fillStyle = ink;
        const beside = side === "query" ? x + square + 4 : x - 4;
        pen.textAlign = side === "query" ? "left" : "right";
        pen.fillText(weight.toFixed(2), beside, top + square / 2);
      });
    }
    pen.globalAlpha = 1;
  }

  // --- the line of text

  write(heads, focus, shown) {
    this.status.textContent = this.words(heads, focus, shown);
  }

  words(heads, focus, shown) {
    const { labels, words } = this.data;
    if (!heads.length) return words.none;
    if (!focus) {
      const some = fill(words.some, { most: MOST, all: this.overviewOf });
      return this.overviewOf > MOST ? some : words.point;
    }
    const name = (side, place) => fill(words.quoted, { text: labels[side][place] });
    const far = other(focus.side);
    const ends = new Map();
    for (const [head, query, key] of [...shown].reverse()) {
      const place = focus.side === "query" ? key : query;
      const weight = this.weightAt(head, focus, place);
      ends.set(`${head} ${place}`, { head, place, weight });
    }
    const best = [...ends.values()].sort((a, b) => b.weight - a.weight).slice(0, NAMED);
    const parts = best.map(({ head, place, weight }) => {
      const told = { token: name(far, place), weight: weight.toFixed(2), head: head + 1 };
      return fill(heads.length > 1 ? words.end_of : words.end, told);
    });
    const who = focus.places.map((place) => name(focus.side, place)).join(" + ");
    const list = parts.length ? parts.join(", ") : words.nothing;
    const ends_told = ends.size > best.length ? fill(words.more, { list }) : list;
    const part = this.hidden(heads, focus, shown);
    return fill(words[focus.side].told, { who, list: ends_told, part });
  }

  /** How much of the weight at the focus is on no drawn link. */
  hidden(heads, focus, shown) {
    let all = 0;
    for (const head of heads) {
      for (let place = 0; place < this.data.labels[other(focus.side)].length; place += 1) {
        const weight = this.weightAt(head, focus, place) ?? 0;
        all += focus.side === "query" ? weight * focus.places.length : weight;
      }
    }
    const drawn = shown.reduce((sum, link) => sum + link[3], 0);
    const part = all > 0 ? Math.max(0, 1 - drawn / all) : 0;
    return `${(100 * part).toFixed(1)}%`;
  }
}

function other(side) {
  return side === "query" ? "key" : "query";
}

function spotOf(element) {
  const button = element.closest(".token");
  return button ? { side: button.dataset.side, place: Number(button.dataset.place) } : null;
}
