import { button, isStill, make, setAttribute, setText } from "./dom.js";
import { measure } from "./sizes.js";
import { say } from "./speech.js";
import { cellName, cellText, change, isSecret, mainCells, sendView, visibleCopy } from "./state.js";

/** Step mode: the main matrix's cells appear one at a time, the newest one pinned. */

/** @typedef {import("./types.js").Board} Board */

const TICK = 1200;

/** The view with a number of cells shown. */
function viewAt(board, step) {
  return { step, cell: step > 0 ? mainCells(board)[step - 1] : null };
}

function saySteps(board) {
  const { step, cell } = board.view;
  const value = cell && (isSecret(board, cell) ? "hidden" : cellText(board, cell));
  say(board, `${step} of ${mainCells(board).length}${cell ? `: ${cellName(board, cell)} is ${value}` : ""}`);
}

/** Brings the newest cell into view, if it is not. @param {Board} board */
function lookAt(board) {
  measure(board);
  const behavior = isStill() ? "instant" : "smooth";
  visibleCopy(board, board.view.cell)?.el.scrollIntoView({ block: "nearest", inline: "nearest", behavior });
}

/** @param {Board} board @returns {boolean} was it playing */
export function stopPlaying(board) {
  if (board.timer === null) return false;
  clearInterval(board.timer);
  board.timer = null;
  return true;
}

/** Any act of the viewer pauses; Python hears only now how far it went. @param {Board} board */
export function pause(board) {
  if (!stopPlaying(board)) return;
  board.render();
  sendView(board);
}

function tick(board) {
  const last = mainCells(board).length;
  board.trail = [];
  board.view = { ...board.view, ...viewAt(board, Math.min(board.view.step + 1, last)) };
  if (board.view.step >= last) pause(board);
  else board.render();
  // Large boards get their derivations one at a time, when Python hears of the cell.
  if (board.timer !== null && !board.heavy.why[board.view.cell]) sendView(board);
  lookAt(board);
  saySteps(board);
}

function play(board) {
  const isAtEnd = board.view.step >= mainCells(board).length;
  if (isAtEnd) board.view = { ...board.view, ...viewAt(board, 0) };
  board.timer = setInterval(() => tick(board), TICK);
  tick(board);
}

/** Shows a number of cells. @returns {boolean} false where there are not so many, or fewer are not wanted */
function stepTo(board, step, least = 1) {
  if (step < least || step > mainCells(board).length) return false;
  board.trail = [];
  change(board, viewAt(board, step));
  lookAt(board);
  saySteps(board);
  return true;
}

/** On or back, also to no cell at all; all cells are the end. @param {Board} board @param {number} by @returns {boolean} did it */
export const stepBy = (board, by) => stepTo(board, (board.view.step ?? mainCells(board).length) + by, 0);

function showAll(board) {
  change(board, { step: null });
  say(board, "All cells shown");
  board.parts.steps.querySelector("button").focus();
}

/** The controls stay the same elements, so that focus stays on the one just pressed. @param {Board} board */
export function buildSteps(board) {
  const start = button("step through", () => {
    stepTo(board, 1);
    controls.next.focus();
  });
  const controls = {
    start,
    back: button("◂ back", () => stepTo(board, board.view.step - 1)),
    next: button("step ▸", () => stepTo(board, board.view.step + 1)),
    play: button("play", () => (board.timer === null ? play(board) : pause(board)), { class: "play" }),
    all: button("all", () => showAll(board)),
    count: make("span", { class: "count" }),
  };
  board.parts.steps.append(start, controls.back, controls.next, controls.play, controls.all, controls.count);
  return controls;
}

/** @param {Board} board @param {ReturnType<typeof buildSteps>} controls */
export function renderSteps(board, controls) {
  const { step } = board.view;
  const last = mainCells(board).length;
  const isStepping = step !== null;
  controls.start.hidden = isStepping || last < 2;
  for (const name of ["back", "next", "play", "all", "count"]) controls[name].hidden = !isStepping;
  setText(controls.count, isStepping ? `${Math.min(step, last)} of ${last}` : "");
  setText(controls.play, board.timer === null ? "play" : "pause");
  // Not `disabled`, which would drop the focus of a learner who steps with the keyboard.
  setAttribute(controls.back, "aria-disabled", step <= 1 ? "true" : null);
  setAttribute(controls.next, "aria-disabled", step >= last ? "true" : null);
}
