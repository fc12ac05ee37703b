import { setStop } from "./grid.js";
import { activate, typeInto, escape } from "./acts.js";

/** The keyboard inside a matrix: one tab stop, arrows to move, labels at the edges. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").GridView} GridView */

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** What stands at a place; row or column -1 is a label's, when that label can be used. */
function at(grid, row, col) {
  if (row === -1) return grid.colLabels[col]?.axis ? grid.colLabels[col].el : null;
  if (col === -1) return grid.rowLabels[row]?.axis ? grid.rowLabels[row].el : null;
  return grid.cells[row]?.[col]?.el ?? null;
}

/** @returns {?HTMLElement} where a key leads from a place */
function target(grid, { row, col }, event) {
  const arrow = ARROWS[event.key];
  if (arrow) return at(grid, row + arrow[0], col + arrow[1]);
  const isAll = event.ctrlKey || event.metaKey;
  const lastRow = grid.cells.length - 1;
  const lastCol = grid.cells[0].length - 1;
  if (event.key === "Home") return isAll ? at(grid, 0, 0) : at(grid, row, 0);
  if (event.key === "End") return isAll ? at(grid, lastRow, lastCol) : at(grid, row, lastCol);
  return null;
}

/** @param {Board} board @param {KeyboardEvent} event */
export function onKey(board, event) {
  if (event.key === "Escape") {
    if (escape(board)) event.preventDefault();
    return;
  }
  const view = board.views.get(event.target);
  if (!view) return;
  if (event.key in ARROWS || event.key === "Home" || event.key === "End") {
    // Also at an edge: the page must not scroll away under someone who is moving in a matrix.
    event.preventDefault();
    const next = target(view.grid, view, event);
    if (!next) return;
    setStop(view.grid, next);
    next.focus();
    return;
  }
  if (!view.ref || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    activate(board, view);
  } else if (/^[\d.,+\-−]$/.test(event.key) && typeInto(board, view, event.key)) event.preventDefault();
}
