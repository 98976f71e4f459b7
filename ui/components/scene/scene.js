// A picture, the words that were written of it, and for each word where the model looked. Pointing
// at a word shows its gaze, a click keeps it and is told to Python, so that an address can hold it.
// With tools, a click on a place or a thing that is dragged is told too, and answered with another
// picture.

const SHADE = 0.5; // how dark the cells are that nobody looks at

export default function (component) {
  return answering(component, Scene, ".scene", "act");
}

class Scene extends Answering {
  constructor(root) {
    super(root);
    this.picture = root.querySelector(".picture");
    this.gaze = root.querySelector(".gaze");
    this.boxes = root.querySelector(".boxes");
    this.places = root.querySelector(".places");
    this.words = root.querySelector(".words");
    this.note = root.querySelector(".note");
    this.title = root.querySelector(".title");
    this.locked = null; // the word that was clicked
    this.hovered = null;
    this.picked = null; // the place whose thing is about to be moved
    this.drag = null; // { from, pointer }
    this.listen();
  }

  // --- data from Python

  update(data) {
    const old = this.data;
    this.data = data;
    if (!old || data.answered > this.number) this.number = data.answered;
    if (!old || old.tool !== data.tool || old.identity !== data.identity) this.picked = null;
    const same = old && String(old.labels) === String(data.labels);
    if (!same || data.answered >= this.number) this.locked = data.open;
    this.maps = numbers(data.maps, Uint16Array);
    this.draw();
    this.drawPlaces();
    this.drawWords();
    this.drawLooks();
    this.show();
  }

  draw() {
    const { side, pixels, words } = this.data;
    const rgb = numbers(pixels, Uint8Array);
    const image = new ImageData(side, side);
    for (let i = 0; i < side * side; i += 1) {
      image.data.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
      image.data[4 * i + 3] = 255;
    }
    this.picture.getContext("2d").putImageData(image, 0, 0);
    this.picture.setAttribute("aria-label", words.picture);
    this.places.setAttribute("aria-label", words.places);
    this.words.setAttribute("aria-label", words.words);
  }

  drawPlaces() {
    const { names, tool } = this.data;
    if (this.places.children.length !== names.length) {
      const made = (_, place) => {
        const node = make("button", "");
        node.dataset.place = place;
        return node;
      };
      this.places.replaceChildren(...names.map(made));
    }
    names.forEach((name, place) => {
      const node = this.places.children[place];
      hint(node, name);
      node.disabled = !tool;
      node.classList.toggle("picked", place === this.picked);
    });
  }

  drawWords() {
    const { labels, marks, shares, language } = this.data;
    const nodes = labels.map((label, place) => {
      const node = make("button", marks[place]);
      node.dataset.word = place;
      node.appendChild(document.createElement("canvas")).ariaHidden = "true";
      const span = node.appendChild(document.createElement("span"));
      span.textContent = label;
      if (language) span.lang = language;
      node.appendChild(document.createElement("small")).textContent = shares[place];
      return node;
    });
    exchange(this.words, nodes);
  }

  /** The picture once above each word, dark where the model did not look for it. */
  drawLooks() {
    const { side } = this.data;
    [...this.words.children].forEach((node, word) => {
      const canvas = node.querySelector("canvas");
      canvas.width = canvas.height = side;
      const context = canvas.getContext("2d");
      context.drawImage(this.picture, 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(this.shade(word), 0, 0, side, side);
    });
  }

  /** A canvas with a dark cell wherever the model did not look for this word. */
  shade(word) {
    const { rows, columns } = this.data;
    const n = rows * columns;
    const weights = this.maps.subarray(word * n, (word + 1) * n);
    const most = Math.max(1, ...weights);
    const image = new ImageData(columns, rows);
    weights.forEach((weight, cell) => {
      image.data[4 * cell + 3] = 255 * SHADE * (1 - Math.sqrt(weight / most));
    });
    const canvas = document.createElement("canvas");
    canvas.width = columns;
    canvas.height = rows;
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }

  // --- what the person does

  listen() {
    const hear = (...what) => this.hear(...what);
    hear(this.words, "click", (event) => {
      const word = numberOf(event.target, "word");
      if (word === null) return;
      this.locked = this.locked === word ? null : word;
      this.show();
      this.answer({ word: this.locked });
    });
    for (const [name, on] of [["pointerover", true], ["focusin", true], ["pointerleave", false], ["focusout", false]]) {
      hear(this.words, name, (event) => {
        this.hovered = on ? numberOf(event.target, "word") : null;
        this.show();
      });
    }
    hear(this.words, "keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const word = numberOf(event.target, "word");
      if (!way || word === null) return;
      event.preventDefault();
      this.words.children[word + way]?.focus();
    });
    hear(this.places, "click", (event) => this.click(numberOf(event.target, "place")));
    hear(this.places, "pointerdown", (event) => {
      const from = numberOf(event.target, "place");
      const there = from !== null && this.data.tool && this.data.filled[from];
      this.drag = there && !event.button ? { from, pointer: event.pointerId } : null;
    });
    hear(this.places, "pointermove", (event) => {
      if (this.drag?.pointer !== event.pointerId) return;
      const at = this.placeUnder(event);
      [...this.places.children].forEach((node, place) => {
        node.classList.toggle("over", place === at && at !== this.drag.from);
      });
    });
    const end = (event) => {
      const drag = this.drag;
      this.drag = null;
      for (const node of this.places.children) node.classList.remove("over");
      if (drag?.pointer !== event.pointerId || event.type !== "pointerup") return;
      const to = this.placeUnder(event);
      if (to !== null && to !== drag.from) this.tell("move", drag.from, to);
    };
    hear(window, "pointerup", end);
    hear(window, "pointercancel", end);
  }

  /** The place under the pointer, which a touch does not tell by its target. */
  placeUnder(event) {
    const box = this.places.getBoundingClientRect();
    const n = Math.round(Math.sqrt(this.data.names.length));
    const column = Math.floor(((event.clientX - box.left) / box.width) * n);
    const row = Math.floor(((event.clientY - box.top) / box.height) * n);
    const inside = row >= 0 && row < n && column >= 0 && column < n;
    return inside ? row * n + column : null;
  }

  click(place) {
    if (place === null || !this.data.tool) return;
    if (this.data.tool !== "move") {
      this.tell(this.data.tool, place, place);
    } else if (this.picked === null || this.picked === place) {
      this.picked = this.picked === null && this.data.filled[place] ? place : null;
      this.drawPlaces();
    } else {
      this.tell("move", this.picked, place);
    }
  }

  tell(act, from, to) {
    this.picked = null;
    this.drawPlaces();
    this.answer({ act, from, to });
  }

  // --- the gaze

  show() {
    const { labels, notes, boxes, idle, words, rows, columns, side } = this.data;
    const shown = this.hovered ?? this.locked;
    const word = shown !== null && shown < labels.length ? shown : null;
    [...this.words.children].forEach((node, place) => {
      node.setAttribute("aria-pressed", String(place === this.locked));
    });
    const context = this.gaze.getContext("2d");
    context.clearRect(0, 0, columns, rows);
    this.boxes.replaceChildren();
    this.root.dataset.word = word ?? "";
    this.note.textContent = word === null ? idle : notes[word];
    this.title.textContent = word === null ? "" : fill(words.title, { word: labels[word] });
    if (word === null) return;
    context.drawImage(this.shade(word), 0, 0);
    const box = boxes[word];
    if (!box) return;
    this.drawBox(box, "box");
    // The share counts every cell that the box touches.
    const across = side / columns;
    const down = side / rows;
    const [left, top, right, bottom] = box;
    const begin = [Math.floor(left / across) * across, Math.floor(top / down) * down];
    this.drawBox([...begin, Math.ceil(right / across) * across, Math.ceil(bottom / down) * down], "box counted");
  }

  /** An outline around pixels of the picture: left, top, right, bottom. */
  drawBox(box, kind) {
    const node = this.boxes.appendChild(make("div", kind));
    const [left, top, right, bottom] = box.map((at) => `${(100 * at) / this.data.side}%`);
    Object.assign(node.style, { left, top });
    node.style.width = `calc(${right} - ${left})`;
    node.style.height = `calc(${bottom} - ${top})`;
  }
}
