// Labels that are cut, or wrapped into three lines or more: what names a page, a view, a control, an
// option, a button, and every text of a chart.
() => {
  const NAMES = [
    '[data-testid="stSidebarNavLink"] p', '[data-testid="stNavSectionHeader"] p', "h1",
    '[role="radio"]', '[data-testid="stWidgetLabel"] p', "button p", "summary p",
    '[data-testid="stPageLink"] p', "label p",
  ].join(", ");
  // A menu that is folded away, and the model's own words.
  const HIDDEN = '[data-testid="stSidebar"][data-collapsed="true"], [class*="st-key-lang_"]';
  const main = document.querySelector('[data-testid="stApp"]');
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && element.getBoundingClientRect().width > 1;
  const linesOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const tops = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 6);
    return tops.map((box) => box.bottom).sort((a, b) => a - b)
      .filter((bottom, i, all) => !i || bottom - all[i - 1] > 6).length;
  };
  const cut = (element) => {
    for (let each = element; each && each !== main; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.overflowX === "visible") continue;
      return style.overflowX !== "auto" && style.overflowX !== "scroll"
        && each.scrollWidth > each.clientWidth + 1;
    }
    return false;
  };
  const found = [];
  for (const element of document.querySelectorAll(NAMES)) {
    const text = element.innerText.trim();
    if (!text || !seen(element) || element.closest(HIDDEN)) continue;
    if (cut(element)) found.push(`cut: ${text}`);
    else if (linesOf(element) > 2 && element.tagName !== "H1") found.push(`${linesOf(element)} lines: ${text}`);
  }
  for (const text of document.querySelectorAll("svg.marks text, .js-plotly-plot .main-svg text")) {
    const box = text.getBoundingClientRect();
    const room = text.closest(".js-plotly-plot, svg").getBoundingClientRect();
    if (!text.textContent.trim() || !box.width || Number(text.getAttribute("opacity") ?? 1) === 0) continue;
    const over = Math.max(room.left - box.left, box.right - room.right, room.top - box.top, box.bottom - room.bottom);
    if (over > 2) found.push(`${Math.round(over)} pixels outside the chart: ${text.textContent}`);
  }
  return [...new Set(found)];
}
