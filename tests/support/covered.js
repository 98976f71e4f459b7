// Names of buttons, tabs and links on the screen that a click at their middle would not reach.
() => {
  const PRESSED = 'button:enabled, a[href], [role="button"], [role="radio"], [role="tab"]';
  const everywhere = (root) => [
    ...root.querySelectorAll(PRESSED),
    ...[...root.querySelectorAll("*")].flatMap((node) => (node.shadowRoot ? everywhere(node.shadowRoot) : [])),
  ];
  const parentOf = (node) => node.parentElement ?? (node.getRootNode().host || null);
  // Where nothing that scrolls or cuts off hides the point.
  const shows = (node, x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    for (let at = parentOf(node); at; at = parentOf(at)) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      if (overflowX !== "visible" && (x < box.left || x > box.right)) return false;
      if (overflowY !== "visible" && (y < box.top || y > box.bottom)) return false;
    }
    return true;
  };
  const under = (x, y) => {
    let node = document.elementFromPoint(x, y);
    for (let inner; node?.shadowRoot && (inner = node.shadowRoot.elementFromPoint(x, y)) && inner !== node; ) node = inner;
    return node;
  };
  const within = (node, outer) => {
    for (let at = node; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  };
  return everywhere(document)
    .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width > 4 && box.height > 4)
    .map(([node, box]) => [node, (box.left + box.right) / 2, (box.top + box.bottom) / 2])
    .filter(([node, x, y]) => shows(node, x, y) && under(x, y) && !within(under(x, y), node))
    // The bar of views stays at the bottom of a phone, and a page scrolls below it.
    .filter(([, x, y]) => !within(under(x, y), document.querySelector(".st-key-views")))
    .map(([node, x, y]) => {
      const name = node.getAttribute("aria-label") || node.textContent.trim() || node.className;
      return `${String(name).slice(0, 60)} lies under ${under(x, y)?.outerHTML.slice(0, 90)}`;
    });
}
