import { make } from "./dom.js";
import { cellName, isDrawn, isSecret } from "./state.js";

/** Turns MATH (see the contract: plain text or [tag, …children]) into elements. */

const WRAPPERS = { i: "i", b: "b", sub: "sub", sup: "sup", row: "span", over: "span" };

/** All numbers in a piece of MATH that came from cells. @returns {{text: string, ref: string}[]} */
export function numbersIn(math) {
  if (!Array.isArray(math)) return [];
  if (math[0] === "num") return math[2] ? [{ text: math[1], ref: math[2] }] : [];
  return math.slice(1).flatMap(numbersIn);
}

/** @returns {boolean} is this piece a number that is not to be seen yet */
function isSecretNumber(board, math) {
  const ref = Array.isArray(math) && math[0] === "num" && math[2] && board.trace.standIn(math[2]);
  return Boolean(ref) && isDrawn(board, ref) && isSecret(board, ref);
}

/**
 * A number that came from a cell: in its role's colour and underline, and a button when that cell can be visited.
 * @param {import("./types.js").Board} board
 */
function drawNumber(board, text, from, role) {
  const ref = from && board.trace.standIn(from);
  const classes = role ? `num role-${role}` : "num";
  if (!ref || !isDrawn(board, ref)) return make("span", { class: classes, text });
  const shown = isSecret(board, ref) ? "?" : text;
  const label = `${shown}, from ${cellName(board, ref)}: go deeper`;
  return make("button", { type: "button", class: classes, text: shown, "data-goto": ref, "aria-label": label });
}

/**
 * @param {import("./types.js").Board} board
 * @param {import("./types.js").MathText} math
 * @param {?string} result the cell whose result this is; while it is secret the result reads «?»
 * @returns {Node}
 */
export function drawMath(board, math, result = null) {
  if (!Array.isArray(math)) return document.createTextNode(String(math ?? ""));
  const [tag, ...children] = math;
  if (tag === "num") return drawNumber(board, ...children);
  // The brackets of a negative number would tell its sign.
  if (tag === "row" && children.length === 3 && children[0] === "(" && isSecretNumber(board, children[1])) {
    return drawMath(board, children[1], result);
  }
  if (tag === "res") return make("b", { class: "res", text: result && isSecret(board, result) ? "?" : children[0] });
  const drawn = children.map((child) => drawMath(board, child, result));
  if (tag === "frac") return make("span", { class: "frac" }, ...drawn.map((part) => make("span", {}, part)));
  if (tag === "sqrt") return make("span", { class: "sqrt" }, "√", make("span", {}, ...drawn));
  return make(WRAPPERS[tag] ?? "span", {}, ...drawn);
}
