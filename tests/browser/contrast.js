// Every visible text of the page, shadow roots included, whose contrast is below a limit.
// Axe leaves out what it cannot judge: color-mix, gradients, numbers on tinted cells.
(limit) => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  const parsed = new Map();
  const rgba = (colour) => {
    if (!parsed.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      parsed.set(colour, [r, g, b, a / 255]);
    }
    return parsed.get(colour);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((c) => {
      const s = c / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  // Thousands of cells have the same ancestors: what is behind one is worked out once.
  const once = (of) => {
    const known = new Map();
    return (el) => {
      if (!known.has(el)) known.set(el, of(el));
      return known.get(el);
    };
  };
  const parent = (el) => el.parentElement ?? el.getRootNode().host ?? null;

  // The number above the knob of a slider stands in the knob's element, and not on it.
  const ground = (el) => el.closest("[data-testid=stSliderThumbValue]")?.closest("[data-testid=stSlider]") ?? el;

  // All colours that may lie behind a text: a gradient gives one for each of its stops.
  const behind = once((el) => {
    if (!el) return [[255, 255, 255]];
    const style = getComputedStyle(el);
    const plain = rgba(style.backgroundColor);
    let grounds = plain[3] === 1 ? [plain.slice(0, 3)] : behind(parent(el)).map((g) => over(plain, g));
    const stops = style.backgroundImage.match(/(?:rgba?|color|oklab|lab)\([^()]*\)/g);
    if (stops) grounds = stops.flatMap((stop) => grounds.map((g) => over(rgba(stop), g)));
    return grounds;
  });
  const opacity = once((el) => (el ? Number(getComputedStyle(el).opacity) * opacity(parent(el)) : 1));

  const poor = [];
  let count = 0;
  const visit = (root) => {
    for (const el of root.querySelectorAll("*")) {
      if (el.shadowRoot) visit(el.shadowRoot);
      if (el.type === "range") continue; // a slider's field is not seen: its knob is
      const own = el.tagName === "INPUT" ? el.value
        : [...el.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("").trim();
      const box = el.getBoundingClientRect();
      if (!own || box.width <= 1 || box.height <= 1 || ["STYLE", "SCRIPT"].includes(el.tagName)) continue;
      if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      count += 1;
      const [r, g, b, a] = rgba(getComputedStyle(el)[el instanceof SVGElement ? "fill" : "color"]);
      const worst = Math.min(...behind(ground(el)).map((g0) => ratio(over([r, g, b, a * opacity(el)], g0), g0)));
      if (worst < limit) poor.push(`${worst.toFixed(2)} «${own.slice(0, 30)}» .${el.closest("[class]")?.className}`);
    }
  };
  visit(document.querySelector(".stApp"));
  return { poor, count };
}
