// Attention heads as ribbons between two lines of tokens: columns with the queries on the left, or
// rows with the queries below, which is the same picture turned left by a right angle.
//
// A position *along* is one on the lines of tokens, a position *across* one between the two lines.
// What is pointed at stays here; what is clicked goes to Python as one state, `choice`, which names
// everything that is chosen.

const PATIENCE = 280; // ms to wait for the second click on a chip before Python hears of the first
const MOST = 6000; // links drawn while nothing is in focus; more would take long
const NAMED = 4; // links named in the line of text
const ROWS = { least: 15, most: 36, high: 330, else: 470 }; // px of a row, of all rows, of what else the screen holds
const NUMBER = 30; // px of a weight beside its token
const LINE = 14; // px of a weight above or below its token
const GUTTER = 40; // px before the tokens of a row, where the names of the numbers stand
const COLUMN = { turned: 18, upright: 26, most: 120 }; // px of a token in a row
const NARROW = 480; // px; below, a long row is scrolled instead of turned
const SECOND_TITLE = 18; // px of the title that stands below a row
const LEAST_HIGH = 180; // px between two rows of tokens
const LARGEST = 16000; // pixels of a side of a canvas
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
    this.scroll = root.querySelector(".scroll");
    this.stage = root.querySelector(".stage");
    this.legend = root.querySelector(".legend");
    this.several = root.querySelector(".several");
    this.clear = root.querySelector(".clear");
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
    this.adding = false; // each click adds a token
    this.overview = document.createElement("canvas");
    this.overviewIsOld = true;
    this.measure(this.middle, () => this.resize());
    this.observer.observe(this.scroll);
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
    this.root.classList.toggle("across", data.horizontal);
    const renamed = other || String(old.labels.query) !== String(data.labels.query);
    if (renamed || old.horizontal !== data.horizontal) this.buildTokens();
    if (!old || String([old.colours, old.roles]) !== String([data.colours, data.roles])) this.buildChips();
    if (other) this.pointed = null;
    if (answered) this.open(data.choice);
    this.overviewIsOld = true;
    this.resize();
    this.mark();
    if (renamed || old.horizontal !== data.horizontal) this.reveal();
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
    this.several.textContent = words.several;
    this.several.title = words.several_hint;
    this.clear.textContent = words.clear;
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
    this.breadths = this.data.horizontal ? this.measureTokens() : [];
  }

  /** How wide the words of a column are, of queries and keys together. */
  measureTokens() {
    this.root.classList.remove("turned");
    this.root.style.setProperty("--letters", "13px");
    const count = Math.max(...SIDES.map((side) => this.buttons[side].length));
    this.root.style.setProperty("--columns", `repeat(${count}, max-content)`);
    const widths = (place) => SIDES.map((side) => this.buttons[side][place]?.offsetWidth ?? 0);
    this.measured = this.scroll.clientWidth > 0;
    return Array.from({ length: count }, (_, place) => Math.max(COLUMN.upright, ...widths(place)) + 1);
  }

  /** Where the tokens stand; as many as can be seen at once. */
  layout() {
    const { horizontal, labels } = this.data;
    const high = Math.max(ROWS.high, window.innerHeight - ROWS.else);
    if (horizontal) this.layoutRows(high);
    else this.layoutColumns(high / Math.max(labels.query.length, labels.key.length));
  }

  layoutColumns(share) {
    this.step = Math.round(Math.max(ROWS.least, Math.min(ROWS.most, share)));
    this.root.style.setProperty("--row", `${this.step}px`);
    this.root.style.setProperty("--letters", `${Math.max(10, Math.min(13, this.step * 0.66))}px`);
    this.root.classList.remove("turned");
    this.stage.style.width = "";
    this.middle.style.height = "";
    const middles = (buttons) => buttons.map((_, place) => (place + 0.5) * this.step);
    this.centres = { query: middles(this.buttons.query), key: middles(this.buttons.key) };
    this.width = this.middle.clientWidth;
    this.height = this.step * Math.max(...SIDES.map((side) => this.buttons[side].length));
  }

  /** Words stand side by side; where they have no room they are turned, or on a phone scrolled to. */
  layoutRows(high) {
    // A component that is not on the page yet has no sizes.
    if (!this.measured) this.breadths = this.measureTokens();
    const room = this.scroll.clientWidth;
    const count = this.breadths.length;
    const turned = room >= NARROW && this.breadths.reduce((sum, each) => sum + each, GUTTER) > room;
    const least = turned ? this.breadths.map(() => COLUMN.turned) : this.breadths;
    const needed = least.reduce((sum, each) => sum + each, GUTTER);
    const most = Math.max(needed, count * COLUMN.most + GUTTER);
    this.root.classList.toggle("turned", turned);
    this.root.style.setProperty("--gutter", `${GUTTER}px`);
    this.root.style.setProperty("--columns", least.map((each) => `minmax(${each}px, 1fr)`).join(" "));
    this.width = Math.max(needed, Math.min(room, most));
    this.stage.style.width = `${this.width}px`;
    const middles = (buttons) => buttons.map((each) => each.offsetLeft + each.offsetWidth / 2);
    this.centres = { query: middles(this.buttons.query), key: middles(this.buttons.key) };
    const taken = SIDES.reduce((sum, side) => sum + this.columns[side].offsetHeight, SECOND_TITLE);
    this.height = Math.max(LEAST_HIGH, high - taken);
    this.middle.style.height = `${this.height}px`;
    const widths = SIDES.flatMap((side) => this.buttons[side].map((each) => each.offsetWidth));
    this.column = Math.min(...widths);
    this.step = Math.min(ROWS.most, this.column);
  }

  /** Scroll a row that is longer than the screen to both ends of the strongest chosen link, or
   * else to the end that is not chosen, whose token is the answer. */
  reveal() {
    const [place] = this.locked[this.side];
    if (!this.data.horizontal || place === undefined) return;
    const strongest = this.linksOf(this.heads, this.focus()).at(-1);
    const [query, key] = strongest ? strongest.slice(1) : [place, place];
    const ends = { query: this.centres.query[query], key: this.centres.key[key] };
    if (!strongest) ends[other(this.side)] = ends[this.side];
    const { scrollLeft, clientWidth } = this.scroll;
    const widths = [this.buttons.query[query], this.buttons.key[key]].map((each) => each?.offsetWidth ?? 0);
    const half = Math.max(...widths) / 2;
    const seen = (middle) => middle - half >= scrollLeft && middle + half <= scrollLeft + clientWidth;
    if (seen(ends.query) && seen(ends.key)) return;
    const fits = Math.abs(ends.query - ends.key) + 2 * half <= clientWidth;
    const middle = fits ? (ends.query + ends.key) / 2 : ends[other(this.side)];
    this.scroll.scrollLeft = middle - clientWidth / 2;
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
        if (spot) this.lock(spot, event.shiftKey || event.ctrlKey || event.metaKey || this.adding);
      });
    }
    this.hear(this.root, "mousedown", (event) => {
      if (event.shiftKey) event.preventDefault(); // or the browser marks text up to here
    });
    this.hear(this.several, "click", () => {
      this.adding = !this.adding;
      this.mark();
    });
    this.hear(this.clear, "click", () => this.letGo());
    // A word is as wide as its letters, some of which may come later, as Hangul does.
    this.hear(document.fonts, "loadingdone", () => {
      if (!this.data?.horizontal) return;
      this.breadths = this.measureTokens();
      this.resize();
    });
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

  /** Choose a token alone, or with `more` beside the others that are chosen on its side. */
  lock({ side, place }, more) {
    const others = this.locked[side].filter((each) => each !== place);
    const again = others.length < this.locked[side].length && (more || !others.length);
    const kept = more ? others : [];
    this.locked[side] = again ? kept : [...kept, place].sort((a, b) => a - b);
    this.side = this.locked[side].length ? side : other(side);
    this.mark();
    this.tell();
  }

  letGo() {
    this.locked = { query: [], key: [] };
    this.side = "query";
    // The button vanishes, and whoever uses the keyboard goes on from its neighbour.
    this.several.focus();
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
    const [back, on, toQuery, toKey] = this.data.horizontal
      ? ["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp"]
      : ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
    const across = { [toQuery]: "query", [toKey]: "key" }[event.key] ?? spot.side;
    const column = this.buttons[across];
    const last = column.length - 1;
    const places = {
      [back]: spot.place - 1,
      [on]: spot.place + 1,
      [toQuery]: spot.place,
      [toKey]: spot.place,
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
    this.several.setAttribute("aria-pressed", this.adding);
    this.clear.hidden = !this.locked.query.length && !this.locked.key.length;
    this.plan();
  }

  plan() {
    this.soon(() => this.draw());
  }

  resize() {
    if (!this.data) return;
    this.layout();
    const { width, height } = this;
    const scale = Math.min(2, window.devicePixelRatio || 1, LARGEST / Math.max(1, width, height));
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    for (const canvas of [this.canvas, this.overview]) {
      if (canvas.width !== wide || canvas.height !== high) {
        canvas.width = wide;
        canvas.height = high;
        this.overviewIsOld = true;
      }
    }
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.scale = scale;
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
      this.nameNumbers(places, focus);
    } else {
      this.legend.replaceChildren();
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

  /** Where curves begin and end, the size of a strip's squares, and the room of its numbers. */
  geometry(heads, focus) {
    const { horizontal } = this.data;
    const n = Math.max(heads.length, 1);
    const deep = (horizontal ? this.height * 0.5 : this.width * 0.22) / n;
    const square = Math.max(2, Math.min(this.step - (horizontal ? 2 : 5), 11, Math.floor(deep) - 1));
    const strip = n * (square + 1);
    const apart = Math.min(2.5, (0.6 * this.step) / n);
    const beside = new Map(heads.map((head, i) => [head, (i - (heads.length - 1) / 2) * apart]));
    const turned = horizontal && this.column < COLUMN.upright;
    const number = horizontal && !turned ? LINE : NUMBER;
    const numbers = isSeveral(focus) ? 2 : heads.length === 1 ? 1 : 0;
    const room = (side) => (focus && focus.side !== side ? strip + 5 + numbers * number : 3);
    const ends = { query: this.inset("query", room("query")), key: this.inset("key", room("key")) };
    return { square, strip, turned, number, ends, beside };
  }

  /** The position across that lies so many pixels from the tokens of a side. */
  inset(side, depth) {
    if (this.data.horizontal) return side === "key" ? depth : this.height - depth;
    return side === "query" ? depth : this.width - depth;
  }

  /** A position along and one across as x and y. */
  at(along, across) {
    return this.data.horizontal ? [along, across] : [across, along];
  }

  curve(pen, { ends, beside }, [head, query, key]) {
    const shift = beside.get(head);
    const from = this.centres.query[query] + shift;
    const to = this.centres.key[key] + shift;
    const bend = (ends.query + ends.key) / 2;
    pen.moveTo(...this.at(from, ends.query));
    pen.bezierCurveTo(...this.at(from, bend), ...this.at(to, bend), ...this.at(to, ends.key));
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
      pen.lineWidth = 0.8 + link[3] * this.step * 0.5;
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
      pen.lineWidth = 0.6 + link[3] * this.step * 0.5;
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

  /** A square for each head beside each token, and the numbers that stand there. */
  drawStrips(pen, places, heads, focus) {
    const side = other(focus.side);
    const { square } = places;
    // The heads have one order from left to right, whichever end the tokens are at.
    const inward = this.inset(side, 1) > this.inset(side, 0);
    const ink = getComputedStyle(this.root).color;
    pen.lineWidth = 0.5;
    for (let place = 0; place < this.data.labels[side].length; place += 1) {
      const weights = heads.map((head) => this.weightAt(head, focus, place));
      const along = this.centres[side][place] - square / 2;
      heads.forEach((head, i) => {
        if (weights[i] === null) return;
        const nth = inward ? i : heads.length - 1 - i;
        const start = this.inset(side, 2 + nth * (square + 1));
        const [x, y] = this.at(along, inward ? start : start - square);
        pen.globalAlpha = Math.min(1, weights[i]);
        pen.fillStyle = this.data.colours[head];
        pen.fillRect(x, y, square, square);
        pen.globalAlpha = 0.22;
        pen.strokeStyle = ink;
        pen.strokeRect(x, y, square, square);
      });
      pen.globalAlpha = 1;
      pen.fillStyle = ink;
      this.drawNumbers(pen, places, focus, place, weights);
    }
  }

  /** Of one query the weight in the head that is on; of several their mean and sum. */
  drawNumbers(pen, places, focus, place, weights) {
    const several = isSeveral(focus);
    const seen = weights.filter((weight) => weight !== null);
    if (!seen.length || (!several && weights.length > 1)) return;
    const mean = seen.reduce((sum, weight) => sum + weight, 0) / weights.length;
    const numbers = several ? [mean, mean * focus.places.length] : [mean];
    if (numbers.at(-1) < LEAST_WRITTEN) return;
    const side = other(focus.side);
    const size = this.data.horizontal ? 11 : Math.min(12, this.step - 3);
    pen.font = `${size}px ${getComputedStyle(this.root).fontFamily}`;
    numbers.forEach((number, nth) => {
      const depth = this.numberDepth(places, numbers.length, nth);
      const [x, y] = this.at(this.centres[side][place], this.inset(side, depth));
      this.writeNumber(pen, number.toFixed(2), x, y, side, places.turned);
    });
  }

  /** How far from the tokens a number stands; the mean is left of the sum, or above it. */
  numberDepth({ strip, number }, count, nth) {
    const { horizontal } = this.data;
    return strip + 6 + (horizontal ? nth : count - 1 - nth) * number;
  }

  writeNumber(pen, text, x, y, side, turned) {
    const { horizontal } = this.data;
    const towards = side === "query" ? "left" : "right";
    pen.textBaseline = horizontal && !turned ? (side === "key" ? "top" : "bottom") : "middle";
    pen.textAlign = horizontal && !turned ? "center" : towards;
    pen.save();
    pen.translate(x, y);
    if (turned) pen.rotate(-Math.PI / 2);
    pen.fillText(text, 0, 0);
    pen.restore();
  }

  /** The names of the two numbers, which stay where they are while a row is scrolled. */
  nameNumbers(places, focus) {
    if (!isSeveral(focus)) {
      this.legend.replaceChildren();
      return;
    }
    const { horizontal, words } = this.data;
    const names = [words.mean, words.sum].map((text, nth) => {
      const name = make("span", "name");
      name.textContent = text;
      const depth = this.numberDepth(places, 2, nth);
      if (horizontal) name.style.top = `${depth + (places.turned ? places.number / 2 - 8 : -2)}px`;
      else name.style.right = `${depth}px`;
      return name;
    });
    this.legend.replaceChildren(...names);
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
    const several = isSeveral(focus);
    const best = [...ends.values()].sort((a, b) => b.weight - a.weight).slice(0, NAMED);
    const parts = best.map(({ head, place, weight }) => {
      const sum = (weight * focus.places.length).toFixed(2);
      const told = { token: name(far, place), weight: weight.toFixed(2), sum, head: head + 1 };
      if (several) return fill(heads.length > 1 ? words.end_several_of : words.end_several, told);
      return fill(heads.length > 1 ? words.end_of : words.end, told);
    });
    const who = focus.places.map((place) => name(focus.side, place)).join(" + ");
    const list = parts.length ? parts.join(", ") : words.nothing;
    const ends_told = ends.size > best.length ? fill(words.more, { list }) : list;
    const part = this.hidden(heads, focus, shown);
    if (!several) return fill(words[focus.side].told, { who, list: ends_told, part });
    const mean = this.total(heads, focus) / heads.length;
    const sum = mean * focus.places.length;
    const totals = { mean: mean.toFixed(2), sum: sum.toFixed(2), n: focus.places.length };
    return fill(words.several_told, { who, list: ends_told, part, ...totals });
  }

  /** The weights between the focus and all tokens of the other side, added up over the heads. */
  total(heads, focus) {
    let all = 0;
    for (const head of heads) {
      for (let place = 0; place < this.data.labels[other(focus.side)].length; place += 1) {
        all += this.weightAt(head, focus, place) ?? 0;
      }
    }
    return all;
  }

  /** How much of the weight at the focus is on no drawn link. */
  hidden(heads, focus, shown) {
    const total = this.total(heads, focus);
    const all = focus.side === "query" ? total * focus.places.length : total;
    const drawn = shown.reduce((sum, link) => sum + link[3], 0);
    const part = all > 0 ? Math.max(0, 1 - drawn / all) : 0;
    return `${(100 * part).toFixed(1)}%`;
  }
}

function other(side) {
  return side === "query" ? "key" : "query";
}

/** Several queries, whose rows have a mean and a sum. */
function isSeveral(focus) {
  return focus?.side === "query" && focus.places.length > 1;
}

function spotOf(element) {
  const button = element.closest(".token");
  return button ? { side: button.dataset.side, place: Number(button.dataset.place) } : null;
}
