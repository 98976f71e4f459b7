// A document, a row for each sentence. A click on the number of a sentence takes it out, one on a
// word that word; a second click puts it back. What is pointed at is told in the line below.

export default function (component) {
  return answering(component, Text, ".document", "taken");
}

class Text extends Answering {
  constructor(root) {
    super(root);
    this.box = root.querySelector(".rows");
    this.status = root.querySelector(".status");
    this.sentences = new Set();
    this.words = new Set(); // "sentence word"
    const hear = (name, what) => this.hear(this.box, name, what);
    hear("click", (event) => this.press(event));
    // Arrow keys go from word to word; Tab goes from sentence to sentence.
    hear("keydown", (event) => {
      const keys = this.data.clicks ? ["ArrowLeft", "ArrowRight"] : [];
      walk(event, ".word", event.target.parentElement, keys);
    });
    for (const name of ["pointerover", "focusin"]) hear(name, (event) => this.tell(event.target));
    hear("pointerleave", () => this.tell(null));
  }

  // --- data from Python

  update(data) {
    const { other, answered } = this.take(data);
    if (answered) {
      this.sentences = new Set(data.taken.sentences);
      this.words = new Set(data.taken.words.map(([sentence, word]) => `${sentence} ${word}`));
    }
    this.root.style.setProperty("--sentence", data.colours.sentence);
    this.root.style.setProperty("--word", data.colours.word);
    this.box.setAttribute("aria-label", data.words.document);
    if (other || !this.box.childElementCount) this.build();
    this.draw();
    this.tell(null);
  }

  build() {
    const tag = this.data.clicks ? "button" : "span";
    const rows = this.data.rows.map((row, sentence) => {
      const line = make("div", "line");
      const mark = make(tag, "mark");
      mark.dataset.sentence = sentence;
      mark.append(make("span", "bar"), make("span", "number"));
      const text = make("div", "text");
      row.words.forEach((word, place) => {
        if (word.before) text.append(word.before);
        const node = text.appendChild(make(tag, "word"));
        Object.assign(node.dataset, { sentence, word: place });
        node.textContent = word.text;
        if (this.data.clicks) node.tabIndex = place ? -1 : 0;
        if (word.unknown) node.classList.add("unknown");
      });
      line.append(mark, text);
      return line;
    });
    this.box.replaceChildren(...rows);
  }

  // --- what the person does

  press(event) {
    const node = event.target.closest?.("button");
    if (!node || !this.data.clicks) return;
    const { sentence, word } = node.dataset;
    const [set, place] =
      word === undefined ? [this.sentences, Number(sentence)] : [this.words, `${sentence} ${word}`];
    if (!set.delete(place)) set.add(place);
    this.draw();
    this.tell(node);
    this.answer({
      sentences: [...this.sentences],
      words: [...this.words].map((each) => each.split(" ").map(Number)),
    });
  }

  // --- the picture

  draw() {
    const { rows, truth, words } = this.data;
    const most = Math.max(1e-9, ...rows.flatMap((row) => row.words.map((word) => word.shown ?? 0)));
    // A whole bar is 100%; only norms, which need not sum to one, can be larger.
    const full = Math.max(1, ...rows.map((row) => row.weight ?? 0));
    [...this.box.children].forEach((line, sentence) => {
      const row = rows[sentence];
      const out = this.sentences.has(sentence);
      const mark = line.querySelector(".mark");
      line.classList.toggle("out", out);
      line.classList.toggle("true", truth?.sentence === sentence);
      mark.querySelector(".bar").style.setProperty("--share", (row.weight ?? 0) / full);
      const weight = row.weight === null ? "–" : percent(row.weight);
      mark.querySelector(".number").textContent = `${sentence + 1} · ${weight}`;
      if (this.data.clicks) {
        mark.setAttribute("aria-pressed", String(out));
        mark.setAttribute("aria-label", this.sentenceTold(sentence));
      }
      line.querySelectorAll(".word").forEach((node, place) => {
        const word = row.words[place];
        const gone = this.words.has(`${sentence} ${place}`);
        node.style.setProperty("--share", (word.shown ?? 0) / most);
        node.classList.toggle("out", gone);
        node.classList.toggle("true", truth?.sentence === sentence && truth.words.includes(place));
        if (this.data.clicks) node.setAttribute("aria-pressed", String(gone));
      });
    });
    this.root.dataset.taken = `${[...this.sentences].sort()} / ${[...this.words].sort()}`;
    this.status.textContent = words.point;
  }

  tell(target) {
    const node = target?.closest?.("[data-sentence]");
    this.status.textContent = node ? this.told(node.dataset) : this.data.words.point;
  }

  told({ sentence, word }) {
    if (word === undefined) return this.sentenceTold(Number(sentence));
    const row = this.data.rows[sentence];
    const found = row.words[word];
    const { words } = this.data;
    if (found.weight === null || row.weight === null) {
      return fill(words.word_out, { word: found.text });
    }
    const told = fill(words.word, {
      word: found.text,
      weight: decimals(found.weight),
      sentence: decimals(row.weight),
      shown: decimals(found.shown),
    });
    return found.unknown ? `${told} ${words.unknown}` : told;
  }

  sentenceTold(sentence) {
    const { weight } = this.data.rows[sentence];
    const { words } = this.data;
    const n = sentence + 1;
    if (weight === null) return fill(words.sentence_out, { n });
    return fill(words.sentence, { n, weight: decimals(weight) });
  }
}

function decimals(weight) {
  return weight >= 0.001 || weight === 0 ? weight.toFixed(3) : weight.toExponential(0);
}

function percent(weight) {
  return `${(100 * weight).toFixed(weight >= 0.0995 ? 0 : 1)}%`;
}
