// Text of charts with a contrast below 4.5:1 on what is drawn under it, in any theme.
() => {
  const NEEDED = 4.5;

  const parse = (colour) => {
    if (colour === "none") return [0, 0, 0, 0];
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return a ? [r, g, b, a / 255] : [0, 0, 0, 0];
  };
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) known.set(colour, parse(colour));
    return known.get(colour);
  };
  const over = ([r, g, b, a], ground, opacity) => {
    const part = a * opacity;
    return [r, g, b].map((value, i) => value * part + ground[i] * (1 - part));
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, two) => {
    const [low, high] = [luminance(one), luminance(two)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const opacityOf = (element, name) => {
    let all = Number(getComputedStyle(element)[name]);
    for (let each = element; each.tagName !== "svg"; each = each.parentNode) {
      all *= Number(getComputedStyle(each).opacity);
    }
    return all;
  };
  const holds = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;

  const page = rgba(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor);
  const found = [];
  for (const svg of document.querySelectorAll("svg.marks")) {
    const drawn = [...svg.querySelectorAll("path, rect, image, text")];
    const boxes = new Map();
    const boxOf = (element) => {
      if (!boxes.has(element)) boxes.set(element, element.getBoundingClientRect());
      return boxes.get(element);
    };
    drawn.forEach((text, place) => {
      if (text.tagName !== "text" || !text.textContent.trim()) return;
      const box = boxOf(text);
      const opacity = opacityOf(text, "fillOpacity");
      if (!box.width || opacity < 0.05) return;
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      let ground = page.slice(0, 3);
      let picture = false;
      for (const below of drawn.slice(0, place)) {
        if (below.tagName === "text" || !holds(boxOf(below), x, y)) continue;
        picture ||= below.tagName === "image";
        // Only rectangles fill the box around them.
        if (!/rect|bar/.test(below.getAttribute("aria-roledescription") ?? "") &&
            !below.closest(".mark-rect")) continue;
        ground = over(rgba(getComputedStyle(below).fill), ground, opacityOf(below, "fillOpacity"));
      }
      if (picture) return;
      const ink = over(rgba(getComputedStyle(text).fill), ground, opacity);
      const ratio = contrast(ink, ground);
      if (ratio < NEEDED) {
        const chart = svg.closest('[class*="st-key-"]').className.match(/st-key-\S+/)[0];
        found.push(`${chart}: ${text.textContent} ${ratio.toFixed(2)} ${getComputedStyle(text).fill} on ${ground.map(Math.round)}`);
      }
    });
  }
  return found;
}
