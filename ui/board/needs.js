/** What one matrix asks for, and how a size is written to it. This is layout, not mathematics. */

/** @typedef {import("./types.js").Needs} Needs */

export const GAP = 3;
/** Cells are never narrower than a finger needs, and comfortable from a little more. */
export const NARROWEST = 24;
export const COMFORTABLE = 30;
export const WIDEST = 58;
export const LOWEST = 26;
/** A caption's characters, its symbol's, and the room that it may claim; a longer one wraps. */
const CAPTION_CHARACTER = 6.2;
const SYMBOL_CHARACTER = 8;
const CAPTION_LIMIT = 170;
/** From more rows than this on, rows are lower, so that less must be scrolled. */
export const CROWDED = 8;
export const CROWDED_HEIGHT = 34;
/** Below this width the matrices stand one below another (as in board.css). */
export const NARROW = 521;
const NARROW_HEAD = 76;
const SIGN_WIDTH = 52;
const SIGN_CHARACTER = 11;
const LABEL_CHARACTER = 7.2;
const LABEL_LIMIT = 12;
const LABEL_INSET = 8;
const LABEL_PADDING = 19;
/** A tabular figure's width, in em, with room for the bold of a lit cell. */
const FIGURE = 0.62;
const CELL_PADDING = 6;

/** @param {import("./types.js").MathText} math @returns {number} its characters */
const lengthOf = (math) => (Array.isArray(math) ? math.slice(1).reduce((sum, part) => sum + lengthOf(part), 0) : math.length);
const longest = (texts) => texts.reduce((most, text) => Math.max(most, [...text].length), 0);
export const between = (low, value, high) => Math.min(high, Math.max(low, value));

/** The width of a cell that shows `figures` characters. */
export const widthOf = (figures, font) => figures * FIGURE * font + CELL_PADDING;

/** The largest font in which `figures` characters fit into a column. */
export const fontOf = (figures, column) => (column - CELL_PADDING) / (figures * FIGURE);

/** How much room its caption asks for, right of the row labels. A symbol over the labels asks for none. */
function captionOf({ text, title, shape, definition }, isOverLabels) {
  const characters = lengthOf(definition ?? title) + 3 + shape.length;
  return Math.min(CAPTION_LIMIT, characters * CAPTION_CHARACTER + (isOverLabels ? 0 : text.length * SYMBOL_CHARACTER + 12));
}

/**
 * @param {import("./types.js").Matrix} matrix @param {?string} sign what stands before it in an equation; null in a stage
 * @returns {Needs}
 */
export function needsOf(matrix, sign) {
  const figures = longest(matrix.cells.flat());
  const label = between(1, longest(matrix.cols.labels), LABEL_LIMIT) * LABEL_CHARACTER + LABEL_INSET;
  return {
    sign: sign ? Math.max(SIGN_WIDTH, sign.length * SIGN_CHARACTER + 16) : 0,
    figures, label, cols: matrix.cols.labels.length, rows: matrix.rows.labels.length,
    head: between(1, longest(matrix.rows.labels), LABEL_LIMIT) * LABEL_CHARACTER + LABEL_PADDING,
    least: Math.max(NARROWEST, widthOf(figures, 10.5)),
    stretch: Math.max(widthOf(figures, 14.5), WIDEST) / WIDEST,
    caption: captionOf(matrix, sign === null),
  };
}

/** Matrices that stand one above another start at the same place. @param {Needs[]} column @param {number} width */
export function alignHeads(column, width) {
  const head = Math.max(...column.map((needs) => needs.head));
  for (const needs of column) needs.head = width < NARROW ? Math.min(NARROW_HEAD, head) : head;
}

/** The width of a matrix with columns of a width. @param {Needs} needs */
export const matrixWidth = (needs, column) => needs.head + Math.max(needs.caption, needs.cols * (column + GAP));

/** Are the headings of its columns too long to lie side by side? */
export const isUpright = (needs, column) => needs.label > column;

/** @param {import("./types.js").GridView} grid @param {Needs} needs */
export function apply(grid, needs, column, height, font) {
  const style = grid.figure.style;
  style.setProperty("--cols", String(needs.cols));
  style.setProperty("--head", `${needs.head}px`);
  style.setProperty("--caption", `${needs.caption}px`);
  style.setProperty("--column", `${Math.floor(column)}px`);
  style.setProperty("--height", `${height}px`);
  style.setProperty("--font", `${font.toFixed(1)}px`);
  grid.table.classList.toggle("upright-labels", isUpright(needs, column));
}
