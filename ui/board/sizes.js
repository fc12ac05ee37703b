/**
 * How wide the columns of an equation are: as wide as reads well, narrower when that keeps the equation on fewer lines,
 * never below what a finger or the longest number needs. Fonts follow the column. This is layout, not mathematics.
 */

/** @typedef {import("./types.js").Board} Board */

const GAP = 3;
const SIGN_WIDTH = 52;
const SIGN_CHARACTER = 11;
const WIDEST = 58;
const COMFORTABLE = 30;
const NARROWEST = 24;
const LOWEST = 26;
const HIGHEST = 46;
/** From more rows than this on, rows are lower, so that less must be scrolled. */
const CROWDED = 8;
const CROWDED_HEIGHT = 34;
/** Below this width the matrices stand one below another (as in board.css). */
const NARROW = 521;
const LABEL_CHARACTER = 7.2;
const LABEL_LIMIT = 12;
const LABEL_INSET = 8;
const LABEL_PADDING = 19;
const NARROW_HEAD = 76;
/** A tabular figure's width, in em, with room for the bold of a lit cell. */
const FIGURE = 0.62;
const CELL_PADDING = 6;

const longest = (texts) => texts.reduce((most, text) => Math.max(most, [...text].length), 0);
const between = (low, value, high) => Math.min(high, Math.max(low, value));

/** Is a sign more than a sign: «÷ √3 =», «softmax». Such ones are set smaller. */
export const isLong = (sign) => sign.length > 3;

/** What one matrix asks for. @param {import("./types.js").Matrix} matrix @param {string} sign what stands before it */
function needsOf(matrix, sign) {
  const figures = longest(matrix.cells.flat());
  const label = between(1, longest(matrix.cols.labels), LABEL_LIMIT) * LABEL_CHARACTER + LABEL_INSET;
  const wish = Math.max(figures * FIGURE * 12.5 + CELL_PADDING, label, WIDEST);
  return {
    sign: sign ? Math.max(SIGN_WIDTH, sign.length * SIGN_CHARACTER + 16) : 0,
    figures, label, cols: matrix.cols.labels.length, rows: matrix.rows.labels.length,
    head: between(1, longest(matrix.rows.labels), LABEL_LIMIT) * LABEL_CHARACTER + LABEL_PADDING,
    least: Math.max(NARROWEST, figures * FIGURE * 10.5 + CELL_PADDING),
    stretch: wish / WIDEST,
  };
}

const columnWidth = (needs, size) => Math.max(needs.least, size * needs.stretch);
const matrixWidth = (needs, size) => needs.head + needs.cols * (columnWidth(needs, size) + GAP);

/** How many lines the equation takes when it wraps like text; Infinity when a matrix is wider than a line. */
function linesAt(size, matrices, width) {
  let lines = 1;
  let used = 0;
  for (const needs of matrices) {
    const own = matrixWidth(needs, size) + (width < NARROW ? 0 : needs.sign);
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

function apply(grid, needs, size, height) {
  const column = columnWidth(needs, size);
  const style = grid.figure.style;
  style.setProperty("--cols", String(needs.cols));
  style.setProperty("--head", `${needs.head}px`);
  style.setProperty("--column", `${Math.floor(column)}px`);
  style.setProperty("--height", `${height}px`);
  const font = between(10, Math.min((column - CELL_PADDING) / (needs.figures * FIGURE), column * 0.48), 17);
  style.setProperty("--font", `${font.toFixed(1)}px`);
  grid.table.classList.toggle("upright-labels", needs.label > column + GAP);
}

/** Fits every equation to the board's present width. @param {Board} board */
export function fitSizes(board) {
  if (!board.width || !board.heavy) return;
  for (const line of board.lines) {
    const needs = line.grids.map((grid, at) => needsOf(board.heavy.matrices[grid.key], line.signs[at]));
    // One below another, the columns of all matrices start at the same place.
    const head = Math.min(NARROW_HEAD, Math.max(...needs.map((each) => each.head)));
    if (board.width < NARROW) needs.forEach((each) => { each.head = head; });
    const size = chooseSize(needs, board.width);
    const isCrowded = needs.some((each) => each.rows > CROWDED);
    const height = Math.round(between(LOWEST, size * 0.8, isCrowded ? CROWDED_HEIGHT : HIGHEST));
    line.grids.forEach((grid, at) => apply(grid, needs[at], size, height));
  }
}
