import { activate, toggleLabel } from "./acts.js";
import { goDeeper } from "./derivation.js";
import { setStop } from "./grid.js";
import { onKey } from "./keys.js";
import { point } from "./light.js";
import { pause } from "./steps.js";

/** One listener of each kind on the root, attached once: elements come and go, these stay. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Spot} Spot */

const POINTABLE = ".cell, button.label, [data-goto]";

/** @param {Board} board @returns {?Spot} what an element stands for */
function spotOf(board, el) {
  if (!el) return null;
  if (el.dataset.goto) return { kind: "one", ref: el.dataset.goto };
  const view = board.views.get(el);
  if (view?.ref) return { kind: "cell", ref: view.ref };
  return view ? { kind: "label", axis: view.axis, at: Math.max(view.row, view.col) } : null;
}

function onPointerOver(board, event) {
  // A finger does not hover; its tap pins.
  if (event.pointerType === "touch") return;
  const el = event.target.closest(POINTABLE);
  // The gaps between cells change nothing, else the trace would flicker on the way from cell to cell.
  if (!el && event.target.closest(".grid")) return;
  point(board, "hover", spotOf(board, el));
}

function onFocusIn(board, event) {
  const view = board.views.get(event.target);
  if (view) setStop(view.grid, event.target);
  // A click focuses too, but there the pointer already says what to light.
  const el = event.target.matches(":focus-visible") ? event.target.closest(POINTABLE) : null;
  point(board, "focus", spotOf(board, el));
}

function onClick(board, event) {
  const el = event.target.closest(POINTABLE);
  if (!el) return;
  if (el.dataset.goto) {
    goDeeper(board, el.dataset.goto);
    return;
  }
  const view = board.views.get(el);
  if (view.ref) activate(board, view);
  else toggleLabel(board, view);
}

/** @param {Board} board */
export function listen(board) {
  const { root } = board;
  const pauseUnlessPlayButton = (event) => {
    if (!event.target.closest(".play")) pause(board);
  };
  root.addEventListener("pointerdown", pauseUnlessPlayButton);
  root.addEventListener("keydown", pauseUnlessPlayButton);
  root.addEventListener("keydown", (event) => onKey(board, event));
  root.addEventListener("click", (event) => onClick(board, event));
  root.addEventListener("pointerover", (event) => onPointerOver(board, event));
  root.addEventListener("pointerleave", () => point(board, "hover", null));
  root.addEventListener("focusin", (event) => onFocusIn(board, event));
  root.addEventListener("focusout", () => point(board, "focus", null));
}
