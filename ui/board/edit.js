import { openInline } from "./inline.js";
import { plainNumber } from "./numbers.js";
import { say, showProblem } from "./speech.js";
import { cellName, cellText, change, isDrawn, isOnlyInOrigins, visibleCopy } from "./state.js";
import { awaitAnswer } from "./watch.js";
import { makeRef, parseRef } from "./refs.js";

/** Edit mode: input cells are typed over; Python computes what follows. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").CellView} CellView */

/** @returns {?string} what is wrong with the typed text, and how to mend it */
function problemWith(board, ref, text) {
  const name = cellName(board, ref);
  const number = plainNumber(text);
  if (number === null) return `${name}: “${text}” is not a number. Type a number such as 2 or -0.5.`;
  const limit = board.heavy.matrices[parseRef(ref).matrix].limit ?? Infinity;
  if (Math.abs(Number(number)) > limit) {
    return `${name}: ${text} is too large. Type a number from -${limit} to ${limit}.`;
  }
  return null;
}

/** Tells Python a changed number; until it is taken up the cell shows it as waiting. @param {Board} board */
export function send(board, ref, number) {
  board.pending.set(ref, number);
  awaitAnswer(board);
  // No two boards of a session send the same id.
  board.sent = Math.max(board.sent + 1, Date.now());
  // All that still wait, not just this one: an answer to an earlier change may be on its way.
  board.out.trigger("edit", { id: board.sent, typed: Object.fromEntries(board.pending) });
}

/**
 * Sends a changed number and shows it at once, marked as waiting for what follows from it. The text that the cell was
 * opened with changes nothing: what is shown may be rounded.
 */
function commit(board, ref, text, opened) {
  if (text === opened) return true;
  const problem = problemWith(board, ref, text);
  showProblem(board, problem);
  if (problem) return false;
  const number = plainNumber(text);
  if (board.pending.get(ref) !== number) {
    send(board, ref, number);
    say(board, `${cellName(board, ref)} set to ${number}`);
    board.render();
  }
  return true;
}

/** The neighbour in reading order, within the same drawn matrix. @returns {CellView | undefined} */
function neighbour(cell, direction) {
  const all = cell.grid.cells.flat();
  return all[all.indexOf(cell) + direction];
}

/** @param {Board} board @param {CellView} cell @param {?string} typed the key that opened it, when it was a character */
export function openEdit(board, cell, typed = null) {
  const shown = board.pending.get(cell.ref) ?? cellText(board, cell.ref);
  openInline(board, cell, {
    label: `New number for ${cellName(board, cell.ref)}`,
    value: typed ?? shown,
    keepsTyping: typed !== null,
    accept: (text) => commit(board, cell.ref, text, shown),
    onTab(direction) {
      const next = neighbour(cell, direction);
      if (next) openEdit(board, next);
      else cell.el.focus();
    },
    // A click elsewhere keeps good text. Bad text stays open with its message, so nothing typed is lost.
    onLeave(text) {
      if (commit(board, cell.ref, text, shown)) board.inline?.close();
    },
    onClose: () => showProblem(board, null),
  });
}

/** Opens the editor of an input, bringing it into view first. @param {Board} board @param {string} ref */
export function editCell(board, ref) {
  const open = board.view.open || isOnlyInOrigins(board, parseRef(ref).matrix);
  if (!board.view.edit || open !== board.view.open) change(board, { edit: true, open });
  const cell = visibleCopy(board, ref);
  if (cell) openEdit(board, cell);
}

/** @param {Board} board @returns {string[]} the matrices on the board that may be typed over */
export const givenMatrices = (board) =>
  Object.keys(board.heavy.matrices).filter((key) => board.heavy.matrices[key].given && isDrawn(board, makeRef(key, 0, 0)));

/** Turns edit mode on or off; on, it brings the inputs into view. @param {Board} board */
export function toggleEdit(board) {
  const isOn = !board.view.edit;
  const areInputsAway = givenMatrices(board).every((key) => isOnlyInOrigins(board, key));
  change(board, { edit: isOn, open: board.view.open || (isOn && areInputsAway) });
  say(board, isOn ? "Edit mode on" : "Edit mode off");
}

/** @param {Board} board */
export function resetEdits(board) {
  board.pending.clear();
  board.out.trigger("edit", { reset: true });
  // The button goes away once nothing is left to reset.
  board.parts.edit.focus();
  say(board, "Numbers reset");
}

