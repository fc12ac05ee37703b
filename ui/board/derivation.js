import { drawBlend } from "./blend.js";
import { copyNotes, copyText } from "./copy.js";
import { button, make } from "./dom.js";
import { editCell } from "./edit.js";
import { drawMath, numbersIn } from "./math.js";
import { parseRef } from "./refs.js";
import { sayPinned } from "./speech.js";
import { cellName, change, isDrawn, isOnlyInOrigins, isSecret, pin, pinned, visibleCopy } from "./state.js";

/** The panel that tells how the pinned cell was made, and the walk from cell to cell. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Why} Why */

/** Pins a cell the present one was made of, opening the origins when it stands only there. @param {Board} board */
export function goDeeper(board, ref) {
  const from = pinned(board);
  if (from && from !== ref) board.trail.push(from);
  change(board, { cell: ref, open: board.view.open || isOnlyInOrigins(board, parseRef(ref).matrix) });
  sayPinned(board, ref);
}

/** Goes back to a step of the trail. @param {Board} board @param {number} at */
function goBack(board, at) {
  const ref = board.trail[at];
  board.trail.length = at;
  change(board, { cell: ref });
  sayPinned(board, ref);
}

/** Unpins; when the panel had the focus, it goes back to the cell the panel was about. @param {Board} board */
export function unpin(board) {
  const ref = pinned(board);
  const hadFocus = board.parts.why.contains(board.root.getRootNode().activeElement);
  pin(board, null);
  if (hadFocus) visibleCopy(board, ref)?.el.focus();
  sayPinned(board, null);
}

/** The first number that was itself computed: in a blend of the part that adds most. @param {Board} board @param {Why} why */
function firstDeeper(board, why) {
  const most = (why.blend?.parts ?? []).filter((part) => part.most).map((part) => part.term);
  const numbers = [...most, ...why.line, ...why.steps.flatMap((step) => step.line)].flatMap(numbersIn);
  return numbers.find(({ ref }) =>
    isDrawn(board, ref) && !isSecret(board, ref) && board.trace.sourcesOf(ref).length > 0);
}

function drawTrail(board) {
  const steps = board.trail.map((ref, at) => {
    const arrow = at === board.trail.length - 1 ? "← " : "";
    return button(`${arrow}${cellName(board, ref)}`, () => goBack(board, at));
  });
  return make("nav", { class: "trail", "aria-label": "Back to where you came from" }, ...steps);
}

const drawLine = (board, line, ref) =>
  make("div", { class: "line" }, ...line.map((part) => drawMath(board, part, ref)));

function drawStep(board, step, ref) {
  const line = drawLine(board, step.line, ref);
  const parts = [make("span", { class: "step-name", text: step.name }), line];
  if (step.note) parts.push(make("span", { class: "note", text: step.note }));
  return make("div", { class: "inner" }, ...parts);
}

/** The same number without rounding, or why there is none. @param {Board} board @param {import("./types.js").Exact} exact */
function drawExact(board, exact, ref) {
  if (!exact.line) return make("p", { class: "words", text: exact.words });
  const line = make("div", { class: "line" }, ...exact.line.map((part) => drawMath(board, part, ref)));
  return make("div", { class: "inner exact" }, make("span", { class: "step-name", text: "exactly" }), line);
}

function drawHead(board, why, ref) {
  const title = make("h2", { text: why ? why.title : cellName(board, ref) });
  return board.trail.length ? [drawTrail(board), title] : [title];
}

/** Would more than the bare equation tell a number that is still secret: its own, or one that it was made of. */
const tells = (board, why, ref) => isSecret(board, ref)
  || [...why.line, ...why.steps.flatMap((step) => step.line)].flatMap(numbersIn).some((number) => isSecret(board, number.ref));

/** @param {Board} board @param {?Why} why @param {string} ref */
function drawText(board, why, ref) {
  if (!why) return [make("div", { class: "line", text: "…" })];
  const line = why.line.length ? [drawLine(board, why.line, ref)] : [];
  if (tells(board, why, ref)) return line;
  const parts = [...why.steps.map((step) => drawStep(board, step, ref)), ...line];
  if (why.exact) parts.push(drawExact(board, why.exact, ref));
  const words = why.words ?? (why.given ? "This number is an input: nothing lies deeper." : null);
  if (words) parts.push(make("p", { class: "words", text: words }));
  if (why.note) parts.push(make("p", { class: "note", text: why.note }));
  if (why.blend) parts.push(...drawBlend(board, why.blend));
  return parts;
}

function drawButtons(board, why, ref) {
  const buttons = [];
  const deeper = why && firstDeeper(board, why);
  if (deeper) {
    buttons.push(button(`go deeper: where does ${deeper.text} come from?`, () => goDeeper(board, deeper.ref)));
  }
  if (board.heavy.matrices[parseRef(ref).matrix].given) {
    buttons.push(button("edit this number", () => editCell(board, ref)));
  }
  if (why && !tells(board, why, ref)) {
    buttons.push(button("copy equation", (event) => copyText(board, why.text, "derivation", event.currentTarget)));
    buttons.push(button("copy LaTeX", (event) => copyText(board, why.latex, "LaTeX", event.currentTarget)));
  }
  buttons.push(button("clear", () => unpin(board)));
  return [...buttons, ...copyNotes()];
}

/** Puts the focus back where it was in the panel; a button that went away hands it to the first one left. */
function keepFocus(panel, draw) {
  const focusable = () => [...panel.querySelectorAll("button")];
  const at = focusable().indexOf(panel.getRootNode().activeElement);
  draw();
  if (at < 0) return;
  (panel.querySelector(".trail button:last-child") ?? focusable()[at] ?? focusable()[0])?.focus();
}

/** @param {Board} board */
export function renderDerivation(board) {
  const panel = board.parts.why;
  const ref = pinned(board);
  // What Python has not taken up yet cannot be explained yet.
  const why = ref && !board.pending.has(ref) && board.heavy.why[ref];
  // All that the panel shows: what is still secret, and names of cells, which come with the message.
  const { seen, step } = board.view;
  const drawn = JSON.stringify([ref, why, seen, step, board.trail, board.heavy.id]);
  if (drawn === board.whyDrawn) return;
  board.whyDrawn = drawn;
  // The number that was pointed at goes away with the old text.
  for (const by of ["hover", "focus"]) if (board.spot[by]?.kind === "one") board.spot[by] = null;
  keepFocus(panel, () => {
    if (!ref) {
      panel.replaceChildren(make("p", { class: "invitation", text: "Choose a cell to see how its number was made." }));
      return;
    }
    panel.replaceChildren(
      make("div", { class: "head" }, ...drawHead(board, why, ref)),
      make("div", { class: "text" }, ...drawText(board, why, ref)),
      make("div", { class: "buttons" }, ...drawButtons(board, why, ref)),
    );
  });
}
