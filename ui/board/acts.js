import { openAnswer } from "./answer.js";
import { unpin } from "./derivation.js";
import { openEdit } from "./edit.js";
import { applyLight } from "./light.js";
import { isToggle, toggle } from "./mask.js";
import { say, sayPinned } from "./speech.js";
import { isEditable, isHidden, isLater, pin, pinned } from "./state.js";

/** What choosing something does, by pointer and keyboard alike. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").CellView} CellView */

/** A cell was chosen: type over it, block or open it, answer it, or pin it. @param {Board} board @param {CellView} cell */
export function activate(board, cell) {
  const { ref } = cell;
  if (isLater(board, ref)) return;
  if (isEditable(board, ref)) {
    openEdit(board, cell);
  } else if (isToggle(board, ref)) {
    toggle(board, ref);
  } else if (isHidden(board, ref)) {
    // Pinned as well: its formula and numbers are what the answer is worked out from.
    if (pinned(board) !== ref) pin(board, ref);
    openAnswer(board, cell);
  } else if (pinned(board) === ref) {
    unpin(board);
  } else {
    pin(board, ref);
    sayPinned(board, ref);
  }
}

/** A character typed on a cell starts an edit with it. @param {Board} board @param {CellView} cell @returns {boolean} */
export function typeInto(board, cell, character) {
  if (!isEditable(board, cell.ref)) return false;
  openEdit(board, cell, character);
  return true;
}

/**
 * Keeps a token's row and column lit, or releases them.
 * @param {Board} board @param {import("./types.js").LabelView} label
 */
export function toggleLabel(board, label) {
  const at = Math.max(label.row, label.col);
  const { kept } = board.spot;
  const isSame = kept?.axis === label.axis && kept.at === at;
  keep(board, isSame ? null : { kind: "label", axis: label.axis, at });
  say(board, `${label.el.textContent} ${isSame ? "released" : "kept lit"}`);
}

function keep(board, spot) {
  board.spot.kept = spot;
  board.render();
  applyLight(board);
}

/** Esc: first releases a kept token, then unpins, then leads to the dock. @param {Board} board @returns {boolean} did it do anything */
export function escape(board) {
  if (board.spot.kept) keep(board, null);
  else if (pinned(board)) unpin(board);
  else if (board.heavy.walk) board.walk.parts.next.focus({ preventScroll: true });
  else return false;
  return true;
}

