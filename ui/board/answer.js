import { openInline } from "./inline.js";
import { say, showProblem } from "./speech.js";
import { cellName, cellText, change, isRight } from "./state.js";

/** Hidden cells take a typed answer in place. */

/** @typedef {import("./types.js").Board} Board */

/** @param {Board} board @param {import("./types.js").CellView} cell */
export function openAnswer(board, cell) {
  const name = cellName(board, cell.ref);
  openInline(board, cell, {
    label: `Your answer for ${name}`,
    value: "",
    accept(text) {
      if (isRight(board, cell.ref, text)) {
        showProblem(board, null);
        change(board, { seen: [...board.view.seen, cell.ref] });
        say(board, `Right: ${name} is ${cellText(board, cell.ref)}`);
        return true;
      }
      showProblem(board, `“${text}” is not ${name}. Try again, or press Esc.`);
      return false;
    },
    onClose: () => showProblem(board, null),
  });
}
