import { fitStages } from "./flow.js";
import {
  COMFORTABLE, CROWDED, CROWDED_HEIGHT, LOWEST, NARROW, NARROWEST, WIDEST, alignHeads, apply, between, fontOf, matrixWidth,
  needsOf,
} from "./needs.js";

/**
 * How wide the columns of an equation are: as wide as reads well, narrower when that keeps the equation on fewer lines,
 * never below what a finger or the longest number needs. Fonts follow the column.
 */

/** @typedef {import("./types.js").Board} Board */

const HIGHEST = 46;

/** Is a sign more than a sign: «÷ √3 =», «softmax». Such ones are set smaller. */
export const isLong = (sign) => sign.length > 3;

/** At full size the headings may lie side by side; below that, long ones stand upright. */
const columnWidth = (needs, size) => Math.max(needs.least, size * needs.stretch, size === WIDEST ? needs.label : 0);

/** How many lines the equation takes when it wraps like text; Infinity when a matrix is wider than a line. */
function linesAt(size, matrices, width) {
  let lines = 1;
  let used = 0;
  for (const needs of matrices) {
    const own = matrixWidth(needs, columnWidth(needs, size)) + (width < NARROW ? 0 : needs.sign);
    if (own > width) return Infinity;
    if (used && (width < NARROW || used + own > width)) {
      lines += 1;
      used = 0;
    }
    used += own;
  }
  return lines;
}

/** The widest columns that need no more lines than comfortable ones do. */
function chooseSize(matrices, width) {
  const wanted = linesAt(COMFORTABLE, matrices, width);
  for (let size = WIDEST; size > NARROWEST; size -= 1) {
    const lines = linesAt(size, matrices, width);
    if (lines <= wanted && lines < Infinity) return size;
  }
  return NARROWEST;
}

/** @param {Board} board @param {import("./types.js").Line} line */
function fitLine(board, { grids, signs }) {
  const { width } = board;
  const needs = grids.map((grid, at) => needsOf(board.heavy.matrices[grid.key], signs[at]));
  if (width < NARROW) alignHeads(needs, width);
  const size = chooseSize(needs, width);
  const isCrowded = needs.some((each) => each.rows > CROWDED);
  const height = Math.round(between(LOWEST, size * 0.8, isCrowded ? CROWDED_HEIGHT : HIGHEST));
  grids.forEach((grid, at) => {
    const column = columnWidth(needs[at], size);
    const font = between(10, Math.min(fontOf(needs[at].figures, column), column * 0.48), 17);
    apply(grid, needs[at], column, height, font);
  });
}

/** Tells the style how high is what may stay in sight. @param {Board} board */
export function measure({ root, parts }) {
  for (const el of [parts.why, parts.tools]) root.style.setProperty(`--${el.className}`, `${el.offsetHeight}px`);
}

/** Fits every equation and stage to the board's present width. @param {Board} board */
export function fitSizes(board) {
  if (!board.width || !board.heavy) return;
  for (const line of board.lines) fitLine(board, line);
  if (board.stages.length) fitStages(board);
}
