import { send } from "./edit.js";
import { makeRef, parseRef } from "./refs.js";
import { say } from "./speech.js";
import { pin, pinned } from "./state.js";

/** The mask of the viewer's own: a click on a cell of M blocks a key for a query, or opens it again. */

/** @typedef {import("./types.js").Board} Board */

/** What is sent for a cell, and what waits for Python meanwhile. */
const BLOCKED = "-inf";
const OPEN = "0";

/** @param {Board} board @returns {boolean} does a click on this cell block or open it */
export const isToggle = (board, ref) => Boolean(board.heavy.matrices[parseRef(ref).matrix].toggles);

/** Is a cell blocked, counting what Python has not taken up yet? @param {Board} board @returns {boolean} */
export function isBlocked(board, ref) {
  const typed = board.pending.get(ref);
  if (typed !== undefined) return typed === BLOCKED;
  const { matrix, row, col } = parseRef(ref);
  return board.flags.get(matrix).blocked.has(`${row},${col}`);
}

/** Blocks an open cell or opens a blocked one, at once, and pins it. @param {Board} board @param {string} ref */
export function toggle(board, ref) {
  const { matrix, row, col } = parseRef(ref);
  const { rows, cols } = board.heavy.matrices[matrix];
  const done = isBlocked(board, ref) ? "opened" : "blocked";
  send(board, ref, done === "blocked" ? BLOCKED : OPEN);
  if (pinned(board) === ref) board.render();
  else pin(board, ref);
  say(board, `${cols.say} ${cols.labels[col]} ${done} for ${rows.say} ${rows.labels[row]}`);
}

/** The mask as a link writes it: a row for each query, 1 where it may attend. @param {Board} board @param {string} key */
export function maskText(board, key) {
  const digit = (row, col) => (isBlocked(board, makeRef(key, row, col)) ? "0" : "1");
  return board.heavy.matrices[key].cells.map((cells, row) => cells.map((_, col) => digit(row, col)).join("")).join(".");
}
