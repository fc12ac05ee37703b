import { make, setAttribute, setText } from "./dom.js";
import { drawMath } from "./math.js";
import { paintCell } from "./paint.js";
import { isTokenAxis, makeRef } from "./refs.js";

/** Builds one matrix as an ARIA grid, and writes new content into it in place. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").GridView} GridView */

/** A heading: a button when its axis has tokens, else plain text. Never a tab stop of its own. */
function buildLabel(grid, axis, row, col) {
  const isToken = isTokenAxis(axis);
  const el = isToken
    ? make("button", { type: "button", class: "label", tabindex: "-1", "aria-pressed": "false", dir: "auto" })
    : make("span", { class: "label", dir: "auto" });
  return { el, axis: isToken ? axis.axis : null, row, col, grid };
}

function buildCell(grid, row, col) {
  const number = make("span");
  const ref = makeRef(grid.key, row, col);
  const el = make("div", { class: "cell", role: "gridcell", tabindex: "-1" }, number);
  return { el, number, ref, row, col, grid, painted: "" };
}

/** @param {import("./types.js").Matrix} matrix @param {string} key @returns {GridView} */
export function buildGrid(matrix, key) {
  const symbol = make("b");
  const caption = make("span");
  const tag = make("span", { class: "tag" });
  const table = make("div", { class: "grid", role: "grid" });
  const figure = make("figure", { class: `matrix role-${matrix.role}` },
    make("figcaption", {}, symbol, caption, tag), make("div", { class: "scroller" }, table));
  const grid = { key, figure, table, symbol, caption, tag, cells: [], rowLabels: [], colLabels: [], stop: null };

  grid.colLabels = matrix.cols.labels.map((_, col) => buildLabel(grid, matrix.cols, -1, col));
  const heads = grid.colLabels.map((label) => make("div", { role: "columnheader", class: "col-head" }, label.el));
  table.append(make("div", { role: "row", class: "row heads" }, ...heads));
  matrix.cells.forEach((texts, row) => {
    const label = buildLabel(grid, matrix.rows, row, -1);
    const cells = texts.map((_, col) => buildCell(grid, row, col));
    grid.rowLabels.push(label);
    grid.cells.push(cells);
    table.append(make("div", { role: "row", class: "row" },
      make("div", { role: "rowheader", class: "row-head" }, label.el), ...cells.map((cell) => cell.el)));
  });
  setStop(grid, grid.cells[0][0].el);
  return grid;
}

/** Moves the matrix's one tab stop. */
export function setStop(grid, el) {
  grid.stop?.setAttribute("tabindex", "-1");
  el.setAttribute("tabindex", "0");
  grid.stop = el;
}

function paintLabels(board, views, axis) {
  const { kept } = board.spot;
  views.forEach((label, at) => {
    const text = axis.labels[at];
    setText(label.el, text);
    setAttribute(label.el, "title", text);
    if (!label.axis) return;
    const isKept = kept?.axis === label.axis && kept.at === at;
    setAttribute(label.el, "aria-pressed", String(isKept));
  });
}

/** Draws mathematics into an element, when it is not what stands there already. */
function writeMath(board, el, math) {
  const written = JSON.stringify(math);
  if (el.dataset.math === written) return;
  el.dataset.math = written;
  el.replaceChildren(drawMath(board, math));
}

/** @param {Board} board @param {GridView} grid */
export function paintGrid(board, grid) {
  const matrix = board.heavy.matrices[grid.key];
  const { shape } = matrix;
  const summary = `${matrix.title} · ${shape}`;
  writeMath(board, grid.symbol, matrix.name);
  writeMath(board, grid.caption, matrix.definition ? ["row", matrix.definition, ` · ${shape}`] : summary);
  setText(grid.tag, matrix.tag ?? "");
  grid.tag.hidden = !matrix.tag;
  setAttribute(grid.table, "aria-label", `${matrix.text}, ${summary}`);
  grid.figure.className = `matrix role-${matrix.role}${matrix.tag ? " tagged" : ""}`;
  paintLabels(board, grid.rowLabels, matrix.rows);
  paintLabels(board, grid.colLabels, matrix.cols);
  for (const row of grid.cells) for (const cell of row) paintCell(board, cell, matrix);
}
