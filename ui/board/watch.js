import { say } from "./speech.js";
import { setText } from "./dom.js";
import { screenLink } from "./copy.js";

/**
 * Watches that what was said is answered. A server that was restarted knows nothing of this page any more, and only a
 * new visit wakes it: the link holds the whole state, what still waits included, so nothing is lost.
 */

/** @typedef {import("./types.js").Board} Board */

/** How long an answer may take before the server is asked whether it is there. */
const PATIENCE = 6000;
const RETRY = 3000;

/** Streamlit's own address for «are you well», beside the address this file came from. */
const HEALTH = new URL("../../health", import.meta.url);

/** Everything that was said has been answered. @param {Board} board */
export function answered(board) {
  clearTimeout(board.watch);
  board.watch = null;
}

/** Something was said: an answer is due. @param {Board} board */
export function awaitAnswer(board) {
  clearTimeout(board.watch);
  board.watch = setTimeout(() => look(board), PATIENCE);
}

async function look(board) {
  let isThere = false;
  try {
    isThere = (await fetch(HEALTH, { cache: "no-store" })).ok;
  } catch {
    isThere = false;
  }
  if (board.watch === null || !board.root.isConnected) return;
  if (isThere) {
    location.replace(screenLink(board));
    return;
  }
  const text = "The server does not answer. What you did is kept here until it does.";
  const { problem } = board.parts;
  if (problem.hidden) say(board, text);
  setText(problem, text);
  problem.hidden = false;
  board.watch = setTimeout(() => look(board), RETRY);
}
