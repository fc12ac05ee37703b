import { make } from "./dom.js";
import { drawMath, numbersIn } from "./math.js";
import { isSecret } from "./state.js";

/** Shows how a number is mixed from the values of all tokens: the weights as one bar, and every token's part below. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Blend} Blend */

/** A segment is as wide as its weight; a label that does not fit there is left to the table. */
function drawSegment({ token, share, width, most }) {
  const segment = make("span", { class: most ? "segment most" : "segment" },
    make("bdi", { text: token }), make("span", { text: share }));
  segment.style.setProperty("--share", `${width}%`);
  segment.style.setProperty("--strength", String(width / 100));
  return segment;
}

function drawBar({ parts }) {
  const spoken = parts.map(({ token, share }) => `${token} ${share}`).join(", ");
  const segments = parts.filter(({ width }) => width > 0).map(drawSegment);
  return make("div", { class: "mix", role: "img", "aria-label": `Weights: ${spoken}` }, ...segments);
}

const drawResult = (sign, text) =>
  make("td", { class: "product" }, make("span", { text: `${sign} ` }), make("b", { text }));

function drawRow(board, { token, share, term, sign, product, most }) {
  return make("tr", { class: most && "most" },
    make("th", { scope: "row" }, make("bdi", { text: token })),
    make("td", { text: share }),
    make("td", { class: "factors" }, drawMath(board, term)),
    drawResult(sign, product),
    most ? make("td", { class: "mark", text: "adds most" }) : make("td"));
}

function drawTable(board, { parts, sign, result }) {
  const heads = ["token", "weight", "weight · value", "adds"].map((text) => make("th", { scope: "col", text }));
  const total = make("th", { scope: "row", colspan: "3", text: "added up" });
  return make("table", {},
    make("thead", {}, make("tr", {}, ...heads, make("td"))),
    make("tbody", {}, ...parts.map((part) => drawRow(board, part))),
    make("tfoot", {}, make("tr", {}, total, drawResult(sign, result), make("td"))));
}

/** Weights and values tell the number that they make, and the bar tells the weights. */
const tells = (board, { parts }) =>
  parts.some(({ term }) => numbersIn(term).some(({ ref }) => isSecret(board, ref)));

/** @param {Board} board @param {Blend} blend @returns {HTMLElement[]} nothing while a number in it is secret */
export function drawBlend(board, blend) {
  if (tells(board, blend)) return [];
  const words = make("p", { class: "words", text: blend.words });
  const note = blend.note ? [make("p", { class: "note", text: blend.note })] : [];
  const role = `blend role-${blend.role}`;
  return [make("div", { class: role }, drawBar(blend), drawTable(board, blend), words, ...note)];
}
