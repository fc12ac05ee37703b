import { setAttribute, setText } from "./dom.js";
import { isBlocked, isToggle } from "./mask.js";
import { isEditable, isHidden, isLater } from "./state.js";

/** How one cell looks and what it says. Only cells whose look changed touch the page. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").CellView} CellView */

/**
 * @param {Board} board @param {CellView} cell @param {import("./types.js").Matrix} matrix
 * @returns {{text: string, level: number, classes: string[], spoken: string[]}}
 */
function lookOf(board, cell, matrix) {
  const { ref, row, col } = cell;
  const place = `${row},${col}`;
  if (isLater(board, ref)) return { text: "", level: 0, classes: ["later"], spoken: ["not shown yet"] };
  if (isHidden(board, ref)) return { text: "?", level: 0, classes: ["hidden"], spoken: [`${matrix.one} hidden`] };

  const flags = board.flags.get(cell.grid.key);
  const typed = board.pending.get(ref);
  const text = typed?.replace("-inf", "−∞") ?? matrix.cells[row][col];
  const classes = [];
  const spoken = [`${matrix.one} ${text.replace("−∞", "minus infinity")}`];
  const flag = (isSet, name, words = name) => {
    if (!isSet) return;
    classes.push(name);
    if (words) spoken.push(words);
  };
  const blocks = isBlocked(board, ref);
  flag(blocks, "blocked");
  flag(isToggle(board, ref), "toggle", blocks ? null : "open");
  flag(flags.edited.has(place), "edited");
  flag(flags.marked.has(place), "marked", `largest in its ${matrix.line}`);
  flag(typed !== undefined, "pending", "waiting");
  flag(isEditable(board, ref), "editable");
  const level = matrix.level[row][col];
  flag(level < 0, "minus", null);
  return { text, level, classes, spoken };
}

/** @param {Board} board @param {CellView} cell @param {import("./types.js").Matrix} matrix */
export function paintCell(board, cell, matrix) {
  const { text, level, classes, spoken } = lookOf(board, cell, matrix);
  const isPinned = board.view.cell === cell.ref;
  const { rows, cols } = matrix;
  const label = [`${rows.say} ${rows.labels[cell.row]}`, `${cols.say} ${cols.labels[cell.col]}`, ...spoken].join(", ");
  const painted = [text, level, isPinned, classes.join(" "), label].join("|");
  if (painted === cell.painted) return;
  cell.painted = painted;

  const isTyping = cell.el.classList.contains("typing");
  cell.el.className = ["cell", ...classes, isPinned && "pin", isTyping && "typing"].filter(Boolean).join(" ");
  cell.el.style.setProperty("--strength", String(Math.abs(level) / 100));
  setText(cell.number, text);
  setAttribute(cell.el, "aria-selected", String(isPinned));
  setAttribute(cell.el, "aria-label", label);
}
