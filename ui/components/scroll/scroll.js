// Brings a place of a wide figure into view: the figure scrolls in the box that carries its key.

const MARGIN = 0.6; // of the box's width stays to the left of the place

export default function ({ data }) {
  const box = document.querySelector(`.st-key-scroll_${CSS.escape(data.key)}`);
  if (!box || data.place === null) return;
  const left = box.scrollLeft;
  if (data.place < left || data.place > left + box.clientWidth - data.room) {
    box.scrollTo({ left: Math.max(0, data.place - MARGIN * box.clientWidth), behavior: "smooth" });
  }
}
