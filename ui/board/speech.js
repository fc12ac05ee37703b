import { setText } from "./dom.js";
import { cellName, cellText, isSecret } from "./state.js";

/** What is said aloud, and the one visible line for problems. */

/** @typedef {import("./types.js").Board} Board */

/** Speaks through the one live region. The same words twice are told apart by a trailing space. @param {Board} board */
export function say(board, text) {
  const { live } = board.parts;
  setText(live, live.textContent === text ? `${text} ` : text);
}

/** @param {Board} board @param {?string} ref */
export function sayPinned(board, ref) {
  if (!ref) say(board, "Nothing pinned");
  else say(board, `${board.heavy.why[ref]?.title ?? "Pinned"}: ${cellName(board, ref)} is ${shownValue(board, ref)}`);
}

function shownValue(board, ref) {
  return isSecret(board, ref) ? "hidden" : cellText(board, ref).replace("−∞", "minus infinity");
}

/** Shows a problem under the matrices and speaks it; null takes it away. @param {Board} board @param {?string} text */
export function showProblem(board, text) {
  const { problem } = board.parts;
  setText(problem, text ?? "");
  problem.hidden = !text;
  if (text) say(board, text);
}
