// Korean words that a line break takes apart: two letters of one word on different lines.
() => {
  const found = new Set();
  // A menu that is folded away, and what only a screen reader reads, have no width.
  const MENU = '[data-testid="stSidebar"][data-collapsed="true"]';
  const unseen = (element) => element
    && (element.matches(MENU) || getComputedStyle(element).clipPath !== "none" || unseen(element.parentElement));
  const look = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/[가-힣]{2,}/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
        const tops = boxes.map((box) => box.top);
        if (Math.max(...tops) - Math.min(...tops) > boxes[0]?.height / 2 && !unseen(text.parentElement)) found.add(word);
      }
    }
    for (const each of root.querySelectorAll("*")) if (each.shadowRoot) look(each.shadowRoot);
  };
  look(document.body);
  return [...found];
}
