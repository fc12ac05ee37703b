import { make } from "./dom.js";
import { buildGrid } from "./grid.js";

/** The whole computation at once: stages from left to right, in each the matrices in columns. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").StageView} StageView */

/** A matrix's place in its stage's grid. A column with fewer matrices than `rows` spreads them over the whole height. */
function placeOf(at, count, rows, col) {
  const line = (k) => Math.floor((k * rows) / count) + 1;
  return `${line(at)} / ${col + 1} / ${line(at + 1)}`;
}

/** @param {Board} board @param {{title: string, columns: string[][]}} stage @returns {StageView} */
export function buildStage(board, { title, columns }) {
  const rows = Math.max(...columns.map((column) => column.length));
  const built = new Map();
  const drawn = columns.map((column, col) => column.map((key, at) => {
    const grid = buildGrid(board.heavy.matrices[key], key);
    grid.figure.style.setProperty("--place", placeOf(at, column.length, rows, col));
    built.set(key, grid);
    return grid;
  }));
  // Matrices come in the order of computation, and so they are read, tabbed through and stacked on a phone.
  const order = Object.keys(board.heavy.matrices).filter((key) => built.has(key)).map((key) => built.get(key));
  const el = make("section", { class: "stage" }, make("h3", { text: title }),
    make("div", { class: "places" }, ...order.map((grid) => grid.figure)));
  // A line break that is shown where a stage must begin a new line below tall ones.
  return { el, turn: make("br", { class: "turn" }), columns: drawn, grids: order };
}
