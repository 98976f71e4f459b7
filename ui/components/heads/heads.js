// Every head of a run as a small picture, the open one as a matrix with its numbers, and the lines
// of tokens above them. All maps are here, so choosing asks nobody. Of a site with very many weights
// only small pictures of its heads are here, `small`; Python sends the open head when it is chosen.
//
// What the reader chose goes to Python as one state, `choice`, a moment after the last click; it
// names everything that is chosen and carries a running number. It goes through `heads_told.js`, so
// that Python draws again what stands there, not the heads. Python's own word on what is open comes
// from there too, with the number of the last choice it took, so that an answer to an older click
// never undoes a newer one. Where the page was drawn anew, by another view, before Python heard of
// a choice, the component that comes instead takes it up.

const PATIENCE = 160; // ms after the last click until Python hears of it
const RECENT = 3000; // ms for which a choice that nobody answered may be taken up
const NARROW = 640; // pixels; below, the open head stands under the row of tiles it was tapped in
const TILE = { least: 20, word: 34, most: 40, gap: 4, number: 13, title: 22, side: 22 };
const DIM = 0.22; // how much is seen of what the reader does not look for
const PART = 0.5; // of the largest weight of a pair; heads below are dim
const CELL = { least: 11, widest: 68, highest: 40 };
const CORNER = 58; // room for the words on rows and columns
const BARS = 50;
const SUMS = 42;
const TURN = (52 * Math.PI) / 180; // column labels
const LONG = 45; // tokens, from which fewer lines of them are seen at once
const LEAST_HEIGHT = 380;
const LINES_GAP = 6; // pixels below the lines of tokens
const DENSE = { heads: 16, least: 8, gap: 2 }; // more heads in a layer have no room for numbers
const LARGE = 160; // tokens, from which a matrix is shown whole at first, and can be enlarged
const ZOOMS = [0, 2, 4, 8, 14, 22]; // pixels of a cell; 0 for the whole matrix
const WHOLE = 400; // pixels that a large matrix may take, though the page is then scrolled
const LABEL = 11; // pixels that a label needs
const MOST_HELD = 8; // heads of a large site that are kept here

export default function (component) {
  return answering(component, Heads, ".heads");
}

class Heads extends Answering {
  constructor(root) {
    super(root);
    const find = (name) => root.querySelector(`.${name}`);
    this.parts = Object.fromEntries(
      [
        ...["lines", "stage", "overview", "groups", "badge", "panel", "name", "note", "enlarge"],
        ...["of", "ramp", "end", "bars-name", "zoom", "closer", "farther"],
        ...["scroll", "sheet", "corner", "columns", "rows", "map", "cells", "marks", "boxes", "sums"],
        ...["totals", "bars", "tooltip", "hint", "tip"],
      ].map((name) => [name, find(name)]),
    );
    [this.select, this.filter] = [find("metric"), find("role")];
    this.kind = "";
    this.foci = {};
    this.badge = "";
    this.role = "";
    this.picked = false; // the reader chose what stands under the heads
    this.pointed = null; // [query, key] under the pointer
    this.tiles = new Map();
    this.strips = [];
    this.labels = { rows: [], columns: [] };
    this.zoom = 0;
    this.held = new Map(); // whole heads of large sites, by name
    this.unsent = null; // a choice made before there was a way to Python
    this.measure(root, () => this.plan(true));
    this.listen();
  }

  // --- data from Python

  update(data) {
    const old = this.data;
    const other = !old || old.identity !== data.identity;
    const kept = other && this.timer && old.model === data.model ? this.here() : null;
    if (other && !this.timer) this.number = 0; // what was not answered was about another sentence
    this.data = data;
    if (!other && old.drawing === data.drawing) {
      this.hearTold();
      return;
    }
    this.sites = new Map(data.sites.map((site) => [site.name, { ...site, maps: null }]));
    this.held.clear();
    if (other) this.zoom = 0;
    this.root.dataset.identity = data.identity;
    this.root.classList.toggle("alone", !data.panel);
    this.pointed = null;
    this.foci = Object.fromEntries(data.sites.map((s) => [s.name, this.within(this.foci[s.name], s)]));
    if (!this.sites.has(this.kind)) this.kind = data.sites[0].name;
    this.fresh = this.fresh || other;
    this.buildLines();
    this.hearTold();
    if (!old) this.takeUp();
    if (kept && this.sites.has(kept.kind)) {
      this.kind = kept.kind;
      Object.assign(this.focus(), { layer: kept.layer, head: kept.head });
      this.foci[this.kind] = this.within(this.focus(), this.site());
      this.tell();
    }
    this.buildTiles();
    this.buildBadges();
    this.layout();
    this.draw();
  }

  /** The open head of a large site, which Python sends by itself. */
  hearMap() {
    const map = globalThis.attentionLabTold?.get(`${this.data.key}_map`);
    if (!map || map.drawing !== this.data.drawing) return;
    const name = placeName(map.kind, map.layer, map.head);
    if (this.held.has(name)) return;
    if (this.held.size >= MOST_HELD) this.held.delete(this.held.keys().next().value);
    this.held.set(name, numbers(map.weights, Uint16Array));
  }

  /** What Python says is open, unless the reader has chosen something since. */
  hearTold() {
    this.hearMap();
    const told = globalThis.attentionLabTold?.get(this.data.key);
    if (!told || told.identity !== this.data.identity) return;
    if (this.unsent) this.send(this.unsent);
    this.scores = told.scores && { ...told.scores, values: null };
    this.numbers = told.numbers ?? {};
    if (this.fresh) this.number = Math.max(this.number, told.answered);
    if ((!this.fresh && this.timer) || told.answered < this.number) return;
    const built = this.kind;
    this.fresh = false;
    this.kind = this.sites.has(told.kind) ? told.kind : this.kind;
    this.badge = told.badge;
    this.role = told.role;
    this.select.value = told.badge;
    this.filter.value = told.role;
    for (const [name, site] of this.sites) {
      this.foci[name] = this.within(told.foci[name], site);
    }
    if (this.tiles.size) {
      if (built !== this.kind) this.layout();
      this.draw();
    }
  }

  /** A choice that was made before this component came, and that Python has not heard of. */
  takeUp() {
    const { key, identity } = this.data;
    const last = globalThis.attentionLabChosen?.get(key);
    const told = globalThis.attentionLabTold?.get(key);
    if (!last || last.identity !== identity || performance.now() - last.at > RECENT) return;
    if (told?.identity === identity && told.answered >= last.number) return;
    const { kind, badge, role, number } = last;
    Object.assign(this, { kind, badge, role, number, fresh: false });
    for (const [name, site] of this.sites) this.foci[name] = this.within(last.foci[name], site);
    this.tell();
  }

  within(focus, site) {
    const places = (chosen, count) => (chosen ?? []).filter((place) => place < count);
    return {
      layer: Math.min(focus?.layer ?? 0, site.layers - 1),
      head: Math.min(focus?.head ?? 0, site.heads - 1),
      rows: places(focus?.rows, site.rows.length),
      columns: places(focus?.columns, site.columns.length),
    };
  }

  site() {
    return this.sites.get(this.kind);
  }

  focus() {
    return this.foci[this.kind];
  }

  here() {
    return { kind: this.kind, layer: this.focus().layer, head: this.focus().head };
  }

  /** The steps of 1 / FULL of one head, rows after rows; null for one that is not here yet. */
  steps(site, layer, head) {
    if (site.small) return this.held.get(placeName(site.name, layer, head)) ?? null;
    site.maps ??= numbers(site.weights, Uint16Array);
    const size = site.rows.length * site.columns.length;
    const start = (layer * site.heads + head) * size;
    return site.maps.subarray(start, start + size);
  }

  open() {
    const { layer, head } = this.focus();
    return this.steps(this.site(), layer, head);
  }

  // --- what the reader does

  listen() {
    const { parts } = this;
    const hear = (...what) => this.hear(...what);
    hear(document, "attention-lab-told", (event) => {
      if (!this.data) return;
      if (event.detail === this.data.key) this.hearTold();
      else if (event.detail === `${this.data.key}_map`) {
        this.hearMap();
        this.draw();
      }
    });
    hear(document, "fullscreenchange", () => this.plan(true));
    // A label is as wide as its letters, some of which may come later, as Hangul does.
    hear(document.fonts, "loadingdone", () => this.plan(true));
    hear(parts.groups, "click", (event) => this.pressTile(event));
    hear(parts.groups, "keydown", (event) => this.walkTiles(event));
    hear(parts.lines, "click", (event) => this.pressToken(event));
    hear(this.root, "mousedown", (event) => {
      if (event.shiftKey) event.preventDefault(); // or the browser marks text up to here
    });
    hear(parts.lines, "click", (event) => this.pressHide(event));
    hear(parts.lines, "keydown", (event) => walk(event, ".token", parts.lines));
    hear(parts.lines, "keydown", (event) => walk(event, ".hide", parts.lines));
    hear(this.root, "pointerover", (event) => {
      if (event.pointerType !== "touch") this.drawTip(event.target.closest(".tipped"));
    });
    hear(this.root, "pointerleave", () => this.drawTip(null));
    hear(this.root, "focusin", (event) => {
      const shown = event.target.matches(":focus-visible") && event.target.closest(".tipped");
      this.drawTip(shown || null);
    });
    hear(this.root, "focusout", () => this.drawTip(null));
    hear(this.select, "change", () => {
      this.badge = this.select.value;
      this.picked = true;
      this.draw();
      this.tell();
    });
    hear(this.filter, "change", () => {
      this.role = this.filter.value;
      this.drawNumbers();
      this.tell();
    });
    hear(parts.enlarge, "click", () => this.enlarge());
    hear(parts.closer, "click", () => this.zoomTo(this.zoom + 1));
    hear(parts.farther, "click", () => this.zoomTo(this.zoom - 1));
    for (const side of ["rows", "columns"]) {
      hear(parts[side], "click", (event) => this.pressLabel(event, side));
      hear(parts[side], "keydown", (event) => walk(event, ".label:not(.thin)", parts[side]));
      hear(parts[side], "pointerover", (event) => {
        const label = event.target.closest(".label");
        if (label && side === "rows") this.point([Number(label.dataset.place), -1]);
      });
      hear(parts[side], "pointerleave", () => this.point(null));
    }
    hear(parts.map, "pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(this.spot(event), event);
    });
    hear(parts.map, "pointerleave", () => this.point(null));
    hear(parts.map, "click", (event) => {
      const [row, column] = this.spot(event);
      this.choose([row], [column]);
    });
    // Colours come from the page; when its theme changes, a transition of this property ends.
    hear(this.root, "transitionend", (event) => {
      if (event.propertyName === "outline-color") this.plan();
    });
  }

  pressTile(event) {
    const title = event.target.closest(".title");
    const tile = event.target.closest(".tile");
    if (title) this.openHead({ kind: title.dataset.kind });
    if (tile) {
      const { kind, layer, head } = tile.dataset;
      this.openHead({ kind, layer: Number(layer), head: Number(head) });
    }
  }

  openHead({ kind, ...place }) {
    const moved = kind !== this.kind || place.layer !== this.focus().layer;
    this.kind = kind;
    Object.assign(this.focus(), place);
    this.pointed = null;
    if (moved) this.layout();
    this.draw();
    this.tell(this.open() ? PATIENCE : 0); // Python has to send it
  }

  walkTiles(event) {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    const { kind, layer, head } = tile.dataset;
    const [down, across] = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    }[event.key] ?? [0, 0];
    if (!down && !across) return;
    event.preventDefault();
    this.tiles.get(placeName(kind, Number(layer) + down, Number(head) + across))?.button.focus();
  }

  pressToken(event) {
    const token = event.target.closest(".token");
    if (!token) return;
    const [line, place] = [Number(token.dataset.line), Number(token.dataset.place)];
    const sides = (site) => site.lines[line];
    const found = sides(this.site());
    if (found?.rows) {
      if (found.rows[place] >= 0) this.take("rows", found.rows[place], event.shiftKey);
    } else if (found?.columns) {
      if (found.columns[place] >= 0) this.take("columns", found.columns[place], event.shiftKey);
    } else {
      const other = [...this.sites.values()].find((site) => sides(site)?.rows?.[place] >= 0);
      if (!other) return;
      this.kind = other.name;
      this.focus().rows = [];
      this.layout();
      this.choose([sides(other).rows[place]], []);
    }
  }

  /** Take a word out of what the model reads, or put it back; Python computes what comes of it. */
  pressHide(event) {
    const button = event.target.closest(".hide");
    if (!button) return;
    const { hidden, hiding } = this.data;
    const { places } = hiding[button.dataset.place];
    const others = hidden.filter((place) => !places.includes(place));
    this.data.hidden = others.length < hidden.length ? others : [...hidden, ...places];
    this.drawTokens();
    this.tell(0);
  }

  pressLabel(event, side) {
    const label = event.target.closest(".label");
    if (!label) return;
    this.take(side, Number(label.dataset.place), event.shiftKey);
  }

  /** Choose a token of one side alone, or with `more` beside the others that are chosen there. */
  take(side, place, more) {
    const { rows, columns } = this.focus();
    const chosen = side === "rows" ? rows : columns;
    const others = more ? chosen.filter((each) => each !== place) : [];
    const taken = more && others.length < chosen.length ? others : [...others, place].sort((a, b) => a - b);
    if (side === "rows") this.choose(taken, more ? columns : []);
    else this.choose(rows, taken);
  }

  /** Choose these; what is chosen already is let go. */
  choose(rows, columns) {
    const focus = this.focus();
    const again = same(rows, focus.rows) && same(columns, focus.columns);
    const kept = rows === focus.rows ? rows : [];
    Object.assign(focus, again ? { rows: kept, columns: [] } : { rows, columns });
    // A pair asks which head has the most weight there, unless the reader looks at something else.
    if (focus.rows.length && focus.columns.length && this.badge === "role" && !this.picked) {
      this.badge = this.select.value = "weight";
    }
    this.draw();
    this.tell();
  }

  point(spot, event) {
    this.pointed = spot;
    this.drawMarks();
    this.drawBars();
    this.drawTooltip(spot, event);
  }

  spot(event) {
    const box = this.parts.map.getBoundingClientRect();
    // In shares of the map, because presentation mode scales it.
    const at = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const site = this.site();
    return [
      at((event.clientY - box.top) / box.height, site.rows.length),
      at((event.clientX - box.left) / box.width, site.columns.length),
    ];
  }

  enlarge() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (globalThis.attentionLabFull) attentionLabFull(this.root.getRootNode().host ?? this.root);
    else this.parts.panel.requestFullscreen?.();
  }

  /** Show a large matrix at another size, with the chosen cell in the middle, or the one that was. */
  zoomTo(step) {
    const { scroll } = this.parts;
    const site = this.site();
    const middle = (start, seen, all) => (start + seen / 2) / all;
    const before = this.size;
    const [seenDown, seenAcross] = [scroll.clientHeight - before.above - BARS, scroll.clientWidth - before.left];
    const { rows, columns } = this.focus();
    let down = middle(scroll.scrollTop, seenDown, before.high);
    let across = middle(scroll.scrollLeft, seenAcross, before.wide);
    if (rows.length) {
      // The chosen query, and the chosen key or the one with the largest weight.
      const row = this.row();
      const key = columns[0] ?? row?.indexOf(Math.max(...row)) ?? 0;
      down = (rows[0] + 0.5) / site.rows.length;
      across = (key + 0.5) / site.columns.length;
    }
    const wanted = Math.max(0, Math.min(ZOOMS.length - 1, step));
    // Steps that are no larger than the whole matrix would change nothing.
    this.zoom = wanted >= before.closer ? wanted : step > this.zoom ? before.closer : 0;
    this.layout();
    this.draw();
    scroll.scrollTop = down * this.size.high - seenDown / 2;
    scroll.scrollLeft = across * this.size.wide - seenAcross / 2;
  }

  tell(patience = PATIENCE) {
    const { kind, badge, role, foci } = this;
    const sent = this.answer({ kind, badge, role, foci, hidden: this.data.hidden }, patience);
    const chosen = (globalThis.attentionLabChosen ??= new Map());
    chosen.set(this.data.key, { ...sent, at: performance.now() });
  }

  send(choice) {
    const told = globalThis.attentionLabTold?.get(this.data.key);
    this.unsent = told ? null : choice;
    told?.send(choice);
  }

  // --- the parts that change with the sentence

  buildLines() {
    const { lines, words, hiding } = this.data;
    const active = this.root.getRootNode().activeElement;
    const place = active?.closest(".hide")?.dataset.place;
    const last = new Map(hiding.map(({ places }, nth) => [places.at(-1), nth]));
    this.parts.lines.replaceChildren(
      ...lines.map((line, i) => {
        const row = make("div", "line");
        row.classList.toggle("long", line.tokens.length > LONG);
        row.setAttribute("role", "group");
        row.setAttribute("aria-label", line.title);
        const title = row.appendChild(make("span", "language"));
        title.textContent = line.title;
        line.tokens.forEach((token, place) => {
          const pair = row.appendChild(make("span", "pair"));
          const button = pair.appendChild(stop("token", token.label, place));
          if (line.lang && !token.special) button.lang = line.lang;
          button.classList.toggle("special", token.special);
          button.classList.toggle("unknown", token.unknown);
          button.dataset.line = i;
          const values = { place: place + 1, token: token.label, id: token.id };
          tipped(button, fill(token.unknown ? words.unknown : words.token, values));
          if (i === 0 && last.has(place)) pair.append(stop("hide", "×", last.get(place)));
        });
        return row;
      }),
    );
    if (place) this.parts.lines.querySelector(`.hide[data-place="${place}"]`)?.focus();
  }

  buildTiles() {
    const { words } = this.data;
    this.tiles.clear();
    this.strips = [];
    const groups = [...this.sites.values()].map((site) => {
      const group = make("div", "group");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", site.title);
      const title = group.appendChild(make("button", "title"));
      title.textContent = site.short;
      title.title = site.title;
      title.dataset.kind = site.name;
      for (let layer = 0; layer < site.layers; layer += 1) {
        const row = group.appendChild(make("div", "layer"));
        row.dataset.layer = layer;
        const count = row.appendChild(make("span", "count"));
        count.textContent = layer + 1;
        count.setAttribute("aria-hidden", "true");
        const strip = { canvas: row.appendChild(document.createElement("canvas")), site, layer, heads: [] };
        this.strips.push(strip);
        for (let head = 0; head < site.heads; head += 1) {
          const button = row.appendChild(make("button", "tile"));
          Object.assign(button.dataset, { kind: site.name, layer, head });
          const values = { site: site.title, layer: layer + 1, head: head + 1 };
          const marked = site.marked.some(([l, h]) => l === layer && h === head);
          const does = site.roles?.[layer * site.heads + head] ?? null;
          named(button, [fill(words.tile, values), does?.told ?? (site.roles ? words.none : "")]);
          button.append(make("span", "thumbnail"));
          const number = button.appendChild(make("span", "number"));
          const tile = { button, number, marked, does, site, layer, head };
          button.number = number; // its tip tells it where it has no room
          this.tiles.set(placeName(site.name, layer, head), tile);
          strip.heads.push(tile);
        }
      }
      return group;
    });
    this.parts.groups.setAttribute("aria-label", words.kinds);
    this.parts.groups.replaceChildren(...groups);
  }

  buildBadges() {
    const { badges, filters, words } = this.data;
    const fillIn = (select, options, chosen, title) => {
      hint(select, title);
      select.replaceChildren(
        ...options.map(({ name, title }) => {
          const option = document.createElement("option");
          option.value = name;
          option.textContent = title;
          return option;
        }),
      );
      const known = options.some(({ name }) => name === chosen);
      select.value = known ? chosen : options[0].name;
      return select.value;
    };
    this.badge = fillIn(this.select, badges, this.badge, words.badge);
    this.filter.hidden = filters.length === 1;
    this.role = fillIn(this.filter, filters, this.role, words.role);
  }

  // --- sizes

  /** How many pixels there are for each thing; the whole shall fit on the screen. */
  layout() {
    if (!this.data || !this.root.clientWidth) return;
    const { parts } = this;
    const narrow = this.root.clientWidth < NARROW && this.data.panel;
    this.root.classList.toggle("narrow", narrow);
    this.root.classList.toggle("single", this.tiles.size === 1);
    this.place(narrow);
    this.layoutLines();
    this.release();
    const room = this.room();
    this.layoutTiles(narrow, room);
    if (!this.data.panel) return;
    const site = this.site();
    const large = document.fullscreenElement !== null;
    this.layoutMatrix(site, large ? window.innerHeight - 24 : narrow ? Infinity : room, large);
    this.buildLabels(site);
    parts.enlarge.textContent = large ? this.data.words.leave : this.data.words.enlarge;
  }

  /** The open head stands beside the others, or under the row it was tapped in. */
  place(narrow) {
    const { stage, panel, groups } = this.parts;
    if (!this.data.panel) return;
    const { layer } = this.focus();
    const tile = this.tiles.get(placeName(this.kind, layer, 0));
    const row = narrow && tile && this.tiles.size > 1 ? tile.button.parentElement : null;
    if (row) {
      if (row.nextSibling !== panel) row.after(panel);
    } else if (panel.parentElement !== stage) stage.append(panel);
    groups.querySelectorAll(".title").forEach((title) => {
      title.setAttribute("aria-pressed", title.dataset.kind === this.kind);
    });
  }

  /** The lines of tokens reach over a view that stands beside the heads, which begins below them. */
  layoutLines() {
    if (this.data.panel) return;
    const { lines } = this.parts;
    const picture = this.root.getRootNode().host?.closest(".st-key-picture");
    const scale = this.root.getBoundingClientRect().width / this.root.offsetWidth || 1;
    const wide = picture ? picture.getBoundingClientRect().width / scale : this.root.clientWidth;
    lines.style.width = `${Math.max(wide, this.root.clientWidth)}px`;
    const down = lines.offsetHeight + LINES_GAP;
    document.documentElement.style.setProperty("--lab-lines", `${down}px`);
  }

  /** The page kept a height free until the heads are there; more than theirs would stay empty. */
  release() {
    const kept = this.root.getRootNode().host?.closest('[class*="st-key-reserved_"]');
    if (kept) kept.style.minHeight = "0";
  }

  /** The height left on the screen below the lines of tokens. */
  room() {
    const main = this.root.getRootNode().host?.closest('[data-testid="stMain"]');
    const frame = main ?? document.documentElement;
    const top = main?.getBoundingClientRect().top ?? 0;
    const down = this.parts.stage.getBoundingClientRect().top - top + frame.scrollTop;
    return Math.max(LEAST_HEIGHT, frame.clientHeight - down - 10);
  }

  layoutTiles(narrow, room) {
    const sites = [...this.sites.values()];
    const layers = sites.reduce((sum, site) => sum + site.layers, 0);
    const heads = Math.max(...sites.map((site) => site.heads));
    const dense = heads > DENSE.heads && layers > DENSE.heads;
    this.gap = dense ? DENSE.gap : TILE.gap;
    const wide = narrow || !this.data.panel ? this.root.clientWidth : this.root.clientWidth * 0.48;
    const across = (wide - TILE.side) / heads - this.gap;
    const titles = sites.length * TILE.title + 34;
    const number = dense ? 0 : TILE.number;
    const down = narrow ? TILE.most : (room - titles) / layers - number - this.gap;
    // Beside a view the words stay readable, though the last row may lie below the screen.
    const least = dense ? DENSE.least : this.data.panel ? TILE.least : Math.min(TILE.word, across);
    const side = Math.floor(Math.max(least, Math.min(TILE.most, across, down)));
    this.root.classList.toggle("dense", dense);
    this.root.style.setProperty("--tile", `${side}px`);
    this.root.style.setProperty("--gap", `${this.gap}px`);
    this.side = side;
  }

  layoutMatrix(site, room, large) {
    const { parts } = this;
    const [nRows, nColumns] = [site.rows.length, site.columns.length];
    const letters = large ? 16 : 12;
    const font = `${letters}px ${getComputedStyle(parts.sheet).fontFamily}`;
    const widest = (labels) => Math.min(120, Math.max(...labels.map((t) => width(t, font))));
    const left = Math.max(CORNER, Math.ceil(widest(site.rows)) + 10);
    const corner = lineCount(this.data.words.attends, font.replace(/^\d+/, "11"), left - 6);
    const slanted = Math.min(92, widest(site.columns) * Math.sin(TURN) + 18);
    const above = Math.ceil(Math.max(slanted, corner * 13 + 4));
    const sums = this.data.sums ? SUMS : 8;
    const totals = this.data.sums ? 16 : 4;
    const wide = parts.panel.clientWidth - left - sums - 4;
    const high = room - above - BARS - totals - 38;
    const fit = (all, count, most) => Math.max(CELL.least, Math.min(most, all / count));
    let down = fit(high, nRows, large ? 60 : CELL.highest);
    let across = fit(wide, nColumns, large ? 90 : CELL.widest);
    across = Math.min(across, down * 2.4);
    if (room === Infinity) down = Math.max(CELL.least, Math.min(across, 26));
    else down = Math.min(down, across * 1.5);
    const zooms = Math.max(nRows, nColumns) > LARGE;
    let closer = 0; // first step above the whole matrix
    if (zooms) {
      const tall = room === Infinity ? wide : Math.max(high, Math.min(wide, WHOLE));
      const whole = Math.min(wide / nColumns, tall / nRows);
      closer = ZOOMS.findIndex((pixels) => pixels > whole);
      down = across = ZOOMS[this.zoom] > whole ? ZOOMS[this.zoom] : whole;
    }
    parts.zoom.hidden = !zooms;
    parts.farther.disabled = this.zoom === 0;
    parts.closer.disabled = this.zoom === ZOOMS.length - 1;
    this.size = { down, across, left, above, letters, zooms, closer };
    const [wideCells, highCells] = [Math.round(across * nColumns), Math.round(down * nRows)];
    Object.assign(this.size, { wide: wideCells, high: highCells });
    const sheet = parts.sheet.style;
    sheet.gridTemplateColumns = `${left}px ${wideCells}px ${sums}px`;
    sheet.gridTemplateRows = `${above}px ${highCells}px ${totals}px ${BARS}px`;
    const most = zooms ? Math.max(room, WHOLE + above + BARS + totals + 38) : room;
    parts.scroll.style.maxHeight = room === Infinity ? "" : `${Math.max(LEAST_HEIGHT - 40, most - 30)}px`;
    // A canvas of every pixel of an enlarged matrix would not fit into memory.
    const scale = zooms ? 1 : Math.min(2, window.devicePixelRatio || 1);
    this.scale = scale;
    parts.cells.classList.toggle("sharp", zooms && across > 2);
    if (room === Infinity && zooms) parts.scroll.style.maxHeight = "80vh";
    for (const [name, w, h] of [
      ["cells", wideCells, highCells],
      ["marks", wideCells, highCells],
      ["sums", sums, highCells],
      ["totals", wideCells, totals],
      ["bars", wideCells, BARS],
    ]) {
      const canvas = parts[name];
      const [cells, marks] = [zooms && name === "cells", zooms && name === "marks"];
      canvas.width = marks ? 1 : cells ? nColumns : Math.round(w * scale);
      canvas.height = marks ? 1 : cells ? nRows : Math.round(h * scale);
      Object.assign(canvas.style, { width: `${w}px`, height: `${h}px` });
    }
  }

  buildLabels(site) {
    const { down, across, letters, zooms } = this.size;
    const { words } = this.data;
    const small = (step) => zooms && step < LABEL ? "10px" : `${Math.max(9, Math.min(letters, step * 0.78))}px`;
    this.parts.rows.style.fontSize = small(down);
    this.parts.columns.style.fontSize = small(across * 1.3);
    const build = (side, step) => {
      const key = `${this.data.identity} ${site.name} ${step} ${letters}`;
      if (this.labels[side].key === key) return;
      const labels = site[side].map((text, place) => {
        const label = stop("label", text, place);
        label.title = `${place + 1} · ${text}`;
        if (site.langs[side]) label.lang = site.langs[side];
        const high = Math.max(step, zooms ? LABEL : 0);
        const start = `${(place + 0.5) * step - high / 2}px`;
        if (side === "rows") Object.assign(label.style, { top: start, height: `${high}px` });
        else label.style.left = `${(place + 0.5) * step}px`;
        // Of labels that would cover each other every n-th is seen, and the chosen ones.
        label.classList.toggle("thin", zooms && place % Math.ceil(LABEL / step) > 0);
        return label;
      });
      labels.key = key;
      this.labels[side] = labels;
      this.parts[side].replaceChildren(...labels);
    };
    build("rows", down);
    build("columns", across);
    this.parts.rows.setAttribute("aria-label", words.query);
    this.parts.columns.setAttribute("aria-label", words.key);
    this.parts.corner.textContent = words.attends;
  }

  // --- the picture

  plan(sizes = false) {
    this.sizes = this.sizes || sizes;
    this.soon(() => {
      if (!this.data) return;
      if (this.sizes) this.layout();
      this.sizes = false;
      this.draw();
    });
  }

  draw() {
    if (!this.data || !this.tiles.size || !this.root.clientWidth) return;
    const dark = isDark(this.root);
    this.dark = dark;
    this.root.classList.toggle("dark", dark);
    if (this.data.panel && this.size) {
      this.drawName();
      this.drawCells();
      this.drawSums();
      this.drawMarks();
      this.drawBars();
    }
    this.drawTokens();
    this.drawNumbers();
    this.reveal();
    this.tiles.forEach((tile) => this.markTile(tile));
    this.strips.forEach((strip) => this.drawStrip(strip));
    const { kind, layer, head } = this.here();
    this.root.dataset.whole = this.open() ? "yes" : "no";
    Object.assign(this.root.dataset, { kind, layer, head, drawn: (this.drawn = (this.drawn ?? 0) + 1) });
    this.root.dataset.rows = this.focus().rows.join(" ");
    this.root.dataset.columns = this.focus().columns.join(" ");
  }

  /** Scroll to what was chosen, once, where the sentence is longer than its frame. */
  reveal() {
    const { kind } = this;
    const { rows, columns } = this.focus();
    const chosen = [this.data.identity, kind, rows, columns, this.size?.down].join("|");
    if (this.revealed === chosen) return;
    this.revealed = chosen;
    const token = this.parts.lines.querySelector(".asks");
    const line = token?.closest(".line");
    const lines = line && (token.offsetTop - line.offsetTop - line.scrollTop) / line.clientHeight;
    if (line && (lines < 0 || lines > 0.9)) line.scrollTop = token.offsetTop - line.offsetTop - 1;
    if (!this.data.panel || !this.size || !rows.length) return;
    const { scroll } = this.parts;
    const { down, across, left, above } = this.size;
    const into = (start, seen, at) => Math.max(0, at < start || at > start + seen ? at - seen / 2 : start);
    const [high, wide] = [scroll.clientHeight - above - BARS, scroll.clientWidth - left];
    scroll.scrollTop = into(scroll.scrollTop, high - down, rows[0] * down);
    if (columns.length) scroll.scrollLeft = into(scroll.scrollLeft, wide - across, columns[0] * across);
  }

  ramp(site) {
    const stops = this.data.colours[site.colours][this.dark ? "dark" : "light"];
    this.ramps ??= new Map();
    const key = stops.join();
    if (!this.ramps.has(key)) this.ramps.set(key, shades(stops));
    return this.ramps.get(key);
  }

  drawName() {
    const { words } = this.data;
    const { layer, head } = this.focus();
    const site = this.site();
    const values = { site: site.title, layer: layer + 1, head: head + 1 };
    this.parts.name.textContent = fill(words.open, values);
    hint(this.parts.closer, words.closer);
    hint(this.parts.farther, words.farther);
    const guided = site.marked.some(([l, h]) => l === layer && h === head);
    this.parts.note.textContent = guided ? words.guided : "";
    const stops = this.data.colours[site.colours][this.dark ? "dark" : "light"];
    this.parts.of.textContent = words.weight;
    this.parts.ramp.style.background = `linear-gradient(to right, ${stops.join()})`;
    this.parts.end.textContent = this.data.contrast ? words.most : "1";
    this.parts["bars-name"].textContent = words.framed;
    this.parts.cells.setAttribute("aria-label", `${fill(words.tile, values)}. ${site.alt}`);
    this.root.style.setProperty("--open", this.accent(site));
  }

  accent(site) {
    return this.data.colours[site.colours][this.dark ? "dark" : "light"][2];
  }

  /** The open head and its size; its small picture until Python has sent it. */
  picture() {
    const site = this.site();
    const steps = this.open();
    if (steps) return { steps, nRows: site.rows.length, nColumns: site.columns.length };
    const { layer, head } = this.focus();
    const { rows, columns } = site.small;
    return { steps: this.smallSteps(site, layer, head), nRows: rows, nColumns: columns };
  }

  smallSteps(site, layer, head) {
    const { small } = site;
    small.maps ??= numbers(small.weights, Uint16Array);
    const size = small.rows * small.columns;
    const start = (layer * site.heads + head) * size;
    return small.maps.subarray(start, start + size);
  }

  /** One pixel a cell, enlarged without blur, with the page showing through between cells. */
  drawCells() {
    const site = this.site();
    const { steps, nRows, nColumns } = this.picture();
    const image = new ImageData(nColumns, nRows);
    const paint = new Uint32Array(image.data.buffer);
    const ramp = this.ramp(site);
    for (let row = 0; row < nRows; row += 1) {
      const start = row * nColumns;
      let most = FULL;
      if (this.data.contrast) {
        most = 1;
        for (let k = start; k < start + nColumns; k += 1) {
          if (steps[k] !== MASKED && steps[k] > most) most = steps[k];
        }
      }
      for (let k = start; k < start + nColumns; k += 1) {
        paint[k] = steps[k] === MASKED ? 0 : ramp[Math.round((steps[k] / most) * 255)];
      }
    }
    const { cells } = this.parts;
    const small = this.canvas(nColumns, nRows);
    small.getContext("2d").putImageData(image, 0, 0);
    const pen = cells.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, cells.width, cells.height);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, 0, 0, cells.width, cells.height);
    const { down, across, zooms } = this.size;
    if (zooms || Math.min(down, across) < 8) return;
    for (let row = 1; row < nRows; row += 1) {
      pen.clearRect(0, Math.round(row * down * this.scale) - 1, cells.width, 1);
    }
    for (let column = 1; column < nColumns; column += 1) {
      pen.clearRect(Math.round(column * across * this.scale) - 1, 0, 1, cells.height);
    }
  }

  canvas(wide, high) {
    this.small ??= document.createElement("canvas");
    Object.assign(this.small, { width: wide, height: high });
    return this.small;
  }

  pen(name, letters) {
    const canvas = this.parts[name];
    const pen = canvas.getContext("2d");
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const style = getComputedStyle(this.root);
    if (letters) pen.font = `${letters}px ${style.fontFamily}`;
    pen.fillStyle = style.color;
    pen.textBaseline = "middle";
    return pen;
  }

  drawSums() {
    if (!this.data.sums) return;
    const site = this.site();
    const [nRows, nColumns] = [site.rows.length, site.columns.length];
    const { down, across, letters } = this.size;
    const steps = this.open();
    if (!steps) return;
    const rows = new Float64Array(nRows);
    const columns = new Float64Array(nColumns);
    steps.forEach((step, at) => {
      if (step === MASKED) return;
      rows[Math.floor(at / nColumns)] += step / FULL;
      columns[at % nColumns] += step / FULL;
    });
    const beside = this.pen("sums", Math.max(9, Math.min(letters - 1, down * 0.78)));
    if (down >= 8) rows.forEach((sum, row) => beside.fillText(sum.toFixed(2), 6, (row + 0.5) * down));
    const small = Math.max(8, Math.min(letters - 1, across * 0.42));
    const below = this.pen("totals", small);
    below.textAlign = "center";
    if (across >= 15) {
      columns.forEach((sum, k) => below.fillText(sum.toFixed(2), (k + 0.5) * across, 9));
    }
  }

  drawMarks() {
    if (!this.size || !this.data.panel) return;
    const { down, across, wide } = this.size;
    const { rows, columns } = this.focus();
    this.drawBoxes();
    const pen = this.pen("marks");
    const mark = getComputedStyle(this.root).getPropertyValue("--mark").trim();
    const ink = pen.fillStyle;
    const outline = (colour, row, thick, column = null) => {
      pen.strokeStyle = colour;
      pen.lineWidth = thick;
      const [x, w] = column === null ? [0, wide] : [column * across, across];
      pen.strokeRect(x + 1, row * down + 1, w - 2, down - 2);
    };
    rows.forEach((row) => outline(mark, row, 2));
    rows.forEach((row) => columns.forEach((column) => outline(mark, row, 3, column)));
    if (this.pointed) outline(ink, this.pointed[0], 1.5);
    for (const [side, chosen] of [["rows", rows], ["columns", columns]]) {
      this.labels[side].forEach((label, place) => {
        label.setAttribute("aria-pressed", chosen.includes(place));
        label.classList.toggle("pointed", side === "rows" && this.pointed?.[0] === place);
      });
    }
  }

  /** The marks of a large matrix, which is too large for a canvas over it. */
  drawBoxes() {
    const { down, across, wide, zooms } = this.size;
    const { rows, columns } = this.focus();
    const box = (name, row, left, width) => {
      const node = make("div", `box ${name}`);
      const high = Math.max(3, down);
      const style = { top: row * down + (down - high) / 2, height: high, left, width: Math.max(3, width) };
      for (const [side, at] of Object.entries(style)) node.style[side] = `${at}px`;
      return node;
    };
    const few = rows.slice(0, 40);
    const boxes = few.map((row) => box("row", row, 0, wide));
    few.forEach((row) => {
      columns.slice(0, 40).forEach((column) => boxes.push(box("pair", row, column * across, across)));
    });
    if (this.pointed) boxes.push(box("pointed", this.pointed[0], 0, wide));
    this.parts.boxes.replaceChildren(...(zooms ? boxes : []));
  }

  /** The row under the pointer, or else the mean of the chosen ones. */
  row() {
    const site = this.site();
    const rows = this.pointed ? [this.pointed[0]] : this.focus().rows;
    const steps = this.open();
    if (!rows.length || !steps) return null;
    const nColumns = site.columns.length;
    return site.columns.map((_, k) => {
      const seen = rows.map((row) => steps[row * nColumns + k]);
      if (seen.every((step) => step === MASKED)) return null;
      return seen.reduce((sum, step) => sum + (step === MASKED ? 0 : step / FULL), 0) / rows.length;
    });
  }

  drawBars() {
    if (!this.size || !this.data.panel) return;
    const { across, letters, wide } = this.size;
    const small = Math.max(9, Math.min(letters - 1, across * 0.5));
    const pen = this.pen("bars", small);
    const ink = pen.fillStyle;
    const [top, bottom] = [13, BARS - 1];
    const row = this.row();
    this.parts.hint.textContent = row ? "" : this.data.words.point;
    if (!row) return;
    pen.globalAlpha = 0.25;
    for (const part of [0, 0.5, 1]) pen.fillRect(0, bottom - part * (bottom - top), wide, 0.7);
    pen.globalAlpha = 1;
    pen.textAlign = "center";
    row.forEach((weight, k) => {
      if (weight === null) return;
      const high = Math.max(0.5, weight * (bottom - top));
      pen.fillStyle = this.accent(this.site());
      pen.fillRect(k * across + 1, bottom - high, Math.max(1, across - 2), high);
      if (weight < 0.01) return;
      pen.fillStyle = ink;
      if (across >= 17) {
        pen.fillText(weight.toFixed(2), (k + 0.5) * across, bottom - high - 6);
      } else if (weight >= 0.1 && across >= 10) {
        pen.fillText(weight.toFixed(1), (k + 0.5) * across, bottom - high - 6);
      }
    });
  }

  /** The words on a tile, a token or a sign, below it. */
  drawTip(node) {
    const { tip } = this.parts;
    tip.hidden = !node;
    if (!node) return;
    const number = this.root.classList.contains("dense") && node.number?.textContent;
    tip.textContent = number ? `${node.tip}\n${this.select.selectedOptions[0].text}: ${number}` : node.tip;
    tip.style.whiteSpace = "pre-line";
    tip.classList.toggle("plain", !node.classList.contains("tile"));
    const [box, at] = [this.root.getBoundingClientRect(), node.getBoundingClientRect()];
    const left = Math.min(at.left - box.left, box.width - tip.offsetWidth);
    const below = at.bottom - box.top + 4;
    const above = at.top - box.top - tip.offsetHeight - 4;
    const fits = at.bottom + tip.offsetHeight + 8 < window.innerHeight;
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${fits ? below : above}px`;
  }

  drawTooltip(spot, event) {
    const { tooltip } = this.parts;
    tooltip.hidden = !spot || spot[1] < 0 || !this.open();
    if (tooltip.hidden) return;
    const { words } = this.data;
    const site = this.site();
    const [query, key] = spot;
    const steps = this.open();
    const nColumns = site.columns.length;
    const step = steps[query * nColumns + key];
    const masked = step === MASKED;
    let rank = 1;
    for (let k = query * nColumns; k < (query + 1) * nColumns; k += 1) {
      if (steps[k] !== MASKED && steps[k] > step) rank += 1;
    }
    const lines = [
      [words.query, site.rows[query]],
      [words.key, site.columns[key]],
      ...this.scoresAt(query * nColumns + key),
      ...(masked ? [[words.masked, ""]] : [[words.weight, (step / FULL).toFixed(4)], [words.rank, rank]]),
    ];
    tooltip.replaceChildren(
      ...lines.flatMap(([title, value]) => {
        const [left, right] = [make("span", "what"), make("span", "value")];
        left.textContent = title;
        right.textContent = value;
        return [left, right];
      }),
    );
    const box = this.parts.panel.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const [w, h] = [tooltip.offsetWidth, tooltip.offsetHeight];
    tooltip.style.left = `${x + 18 + w > box.width ? Math.max(0, x - w - 14) : x + 18}px`;
    tooltip.style.top = `${y + 18 + h > box.height ? Math.max(0, y - h - 12) : y + 18}px`;
  }

  /** The products behind a weight, where Python has sent those of the open head. */
  scoresAt(place) {
    const { scores } = this;
    const { kind, layer, head } = this.here();
    if (!scores || scores.kind !== kind || scores.layer !== layer || scores.head !== head) return [];
    scores.values ??= numbers(scores.packed, Float32Array);
    const score = scores.values[place];
    const { words } = this.data;
    const product = scores.root ? [[words.product, (score * scores.root).toFixed(3)]] : [];
    return [...product, [words.score, score.toFixed(3)]];
  }

  drawTokens() {
    const { rows, columns } = this.focus();
    const { lines } = this.site();
    const { hidden, hiding, words } = this.data;
    this.parts.lines.querySelectorAll(".token").forEach((token) => {
      const sides = lines[Number(token.dataset.line)];
      const place = Number(token.dataset.place);
      const asks = Boolean(sides?.rows) && rows.includes(sides.rows[place]);
      const answers = Boolean(sides?.columns) && columns.includes(sides.columns[place]);
      token.setAttribute("aria-pressed", asks || answers);
      token.classList.toggle("asks", asks);
      token.classList.toggle("answers", answers);
      token.classList.toggle("hidden", token.dataset.line === "0" && hidden.includes(place));
    });
    this.parts.lines.querySelectorAll(".hide").forEach((button) => {
      const { text, places } = hiding[button.dataset.place];
      const gone = hidden.includes(places[0]);
      button.textContent = gone ? "+" : "×";
      named(button, [fill(gone ? words.unhide : words.hide, { word: text })]);
    });
  }

  drawNumbers() {
    const { rows, columns } = this.focus();
    const { words } = this.data;
    const what = rows.length ? (columns.length ? "weight-pair" : "weight-row") : "weight";
    const option = this.select.querySelector('option[value="weight"]');
    if (option) option.textContent = words[`badge-${what}`];
    const ranked = this.badge === "weight" && what === "weight-pair";
    const most = new Map();
    this.tiles.forEach((tile) => {
      const named = this.badge === "role";
      const value = named ? this.wordOf(tile) : this.numberOf(tile, what);
      tile.rank = ranked ? value : null;
      most.set(tile.site, Math.max(most.get(tile.site) ?? 0, tile.rank ?? 0));
      const said = typeof value === "number" ? value.toFixed(2) : (value ?? "");
      tile.number.textContent = said + (tile.marked ? " ◆" : "");
      tile.number.classList.toggle("faint", named && (!tile.does || tile.does.faint));
    });
    this.tiles.forEach((tile) => {
      tile.low = tile.rank !== null && tile.rank < most.get(tile.site) * PART;
    });
  }

  /** The role of a head in a word, or a dash; its tip says it whole. */
  wordOf({ does, site }) {
    if (does === null) return site.roles ? "–" : null;
    return this.data.roles[does.role].word;
  }

  /** The number under one head; null where the choice says nothing about it. */
  numberOf({ site, layer, head }, what) {
    if (this.badge !== "weight") {
      const value = site.badges[this.badge]?.[layer * site.heads + head];
      return value ?? null;
    }
    const { rows, columns } = this.foci[site.name];
    const nColumns = site.columns.length;
    if (site.small) return this.sentNumber(site, layer, head, what);
    const steps = this.steps(site, layer, head);
    const at = (row, k) => {
      const step = steps[row * nColumns + k];
      return step === MASKED ? 0 : step / FULL;
    };
    const mean = (places, of) => places.reduce((sum, row) => sum + of(row), 0) / places.length;
    if (what === "weight-pair") {
      if (!rows.length || !columns.length) return null;
      return mean(rows, (row) => columns.reduce((sum, k) => sum + at(row, k), 0));
    }
    const each = [...Array(nColumns).keys()];
    if (what === "weight-row") {
      if (!rows.length) return null;
      return Math.max(...each.map((k) => mean(rows, (row) => at(row, k))));
    }
    return mean([...site.rows.keys()], (row) => Math.max(...each.map((k) => at(row, k))));
  }

  /** The number that Python computed for a head of a large site; null until it is here. */
  sentNumber(site, layer, head, what) {
    const at = layer * site.heads + head;
    if (what === "weight") return site.badges.largest?.[at] ?? null;
    const { rows, columns } = this.foci[site.name];
    const sent = this.numbers?.[site.name];
    if (!sent || !same(sent.rows, rows)) return null;
    return same(sent.columns, what === "weight-pair" ? columns : []) ? sent.values[at] : null;
  }

  /** The open head is marked; of a chosen role, or else of a pair, the others are dim. */
  markTile(tile) {
    const { site, layer, head, button } = tile;
    const open = this.kind === site.name && same([layer, head], [this.focus().layer, this.focus().head]);
    if (tile.isOpen !== open) {
      button.setAttribute("aria-pressed", open);
      button.tabIndex = open ? 0 : -1;
      tile.isOpen = open;
    }
    const all = this.role === this.data.filters[0].name;
    tile.dim = !open && (all ? tile.low : tile.does?.role !== this.role);
    button.classList.toggle("dim", tile.dim);
  }

  /** The thumbnails of a layer, on one canvas: a browser takes long over a hundred. */
  drawStrip(strip) {
    const { canvas, site, heads } = strip;
    const drawn = [this.side, this.dark, ...heads.map(({ dim }) => dim)].join();
    if (strip.drawn === drawn) return;
    strip.drawn = drawn;
    const scale = Math.min(2, window.devicePixelRatio || 1);
    const side = Math.round(this.side * scale);
    const [nRows, nColumns] = [site.small?.rows ?? site.rows.length, site.small?.columns ?? site.columns.length];
    const [down, across] = [Math.min(side, nRows), Math.min(side, nColumns)];
    const small = this.canvas(across * heads.length, down);
    const image = new ImageData(small.width, down);
    const paint = new Uint32Array(image.data.buffer);
    const ramp = this.ramp(site);
    heads.forEach((tile, place) => {
      const most = this.shrunk(tile, down, across);
      most.forEach((step, at) => {
        const to = Math.floor(at / across) * small.width + place * across + (at % across);
        paint[to] = step < 0 ? 0 : ramp[Math.round((step / FULL) * 255)];
      });
    });
    small.getContext("2d").putImageData(image, 0, 0);
    const wide = heads.length * (this.side + this.gap) - this.gap;
    Object.assign(canvas, { width: Math.round(wide * scale), height: side });
    canvas.style.width = `${wide}px`;
    const pen = canvas.getContext("2d");
    pen.imageSmoothingEnabled = false;
    heads.forEach(({ dim }, place) => {
      pen.globalAlpha = dim ? DIM : 1;
      const left = Math.round(place * (this.side + this.gap) * scale);
      pen.drawImage(small, place * across, 0, across, down, left, 0, side, side);
    });
  }

  /** A head in so many pixels, each the largest of the weights that fall on it; -1 where none do. */
  shrunk({ site, layer, head }, down, across) {
    const { small } = site;
    const [nRows, nColumns] = [small?.rows ?? site.rows.length, small?.columns ?? site.columns.length];
    const steps = small ? this.smallSteps(site, layer, head) : this.steps(site, layer, head);
    const most = new Int32Array(down * across).fill(-1);
    for (let row = 0; row < nRows; row += 1) {
      const y = Math.floor((row * down) / nRows) * across;
      for (let k = 0; k < nColumns; k += 1) {
        const step = steps[row * nColumns + k];
        if (step === MASKED) continue;
        const at = y + Math.floor((k * across) / nColumns);
        if (step > most[at]) most[at] = step;
      }
    }
    return most;
  }
}

/** The words of a node for those who hear it, and for its tip, a line each. */
function named(node, words) {
  const lines = words.filter(Boolean);
  node.setAttribute("aria-label", lines.join(". "));
  tipped(node, lines.join("\n"));
}

function tipped(node, words) {
  node.classList.add("tipped");
  node.tip = words;
}

function same(some, others) {
  return some.length === others.length && some.every((each, i) => each === others[i]);
}

function placeName(kind, layer, head) {
  return `${kind} ${layer} ${head}`;
}

let ruler = null;

function width(text, font) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = font;
  return ruler.measureText(text).width * 1.04;
}

function lineCount(text, font, most) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = font;
  return wrapped(ruler, text, most).length;
}

/** Words in as many lines as the width asks for; the pen has the letters. */
function wrapped(pen, text, most) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** 256 colours along the stops, as the pixels of an image hold them. */
function shades(stops) {
  const parts = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (parts.length - 1);
    const low = Math.min(Math.floor(at), parts.length - 2);
    const [r, g, b] = parts[low].map((c, j) => Math.round(c + (parts[low + 1][j] - c) * (at - low)));
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
}

function isDark(root) {
  const [r, g, b] = getComputedStyle(root).color.match(/[\d.]+/g).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}
