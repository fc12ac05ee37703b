import { isStill, make } from "./dom.js";
import { drawMath } from "./math.js";
import { say } from "./speech.js";
import { isSecret } from "./state.js";

/** What new numbers changed: which matrices, in one line, and a soft flash of the cells. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Heavy} Heavy */

const FLASH = 1400;

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @returns {string[]} drawn matrices that stand on both boards */
const common = (before, now) => Object.keys(now.matrices).filter((key) => before.matrices[key] && !now.matrices[key].between);

/** «Changed: X, Q · Stayed: W_Q» @param {Board} board @param {string} word @param {string[]} keys */
function drawList(board, word, keys) {
  const names = keys.flatMap((key, at) => [at ? ", " : " ", drawMath(board, board.heavy.matrices[key].name)]);
  return make("span", {}, `${word}:`, ...names);
}

function flash(board, before, changed) {
  if (isStill()) return;
  for (const grid of board.grids.filter(({ key }) => changed.includes(key))) {
    const old = before.matrices[grid.key].cells;
    const texts = board.heavy.matrices[grid.key].cells;
    for (const { el, ref, row, col } of grid.cells.flat()) {
      if (old[row]?.[col] === texts[row][col] || isSecret(board, ref)) continue;
      el.animate([{ backgroundColor: "var(--flash)", offset: 0 }], { duration: FLASH, easing: "ease-in" });
    }
  }
}

/**
 * Tells what differs between the board as it was and as it is. Call it once what is now has been drawn.
 * @param {Board} board @param {?Heavy} before
 */
export function tellChanges(board, before) {
  const now = board.heavy;
  const { changes } = board.parts;
  if (before?.main !== now.main) changes.replaceChildren();
  // Other decimals are other texts of the same numbers.
  if (before?.main !== now.main || before.decimals !== now.decimals || before.id === now.id) return;
  const keys = common(before, now);
  const changed = keys.filter((key) => !isSame(before.matrices[key].cells, now.matrices[key].cells));
  if (!changed.length) return;
  const stayed = keys.filter((key) => !changed.includes(key));
  const lists = [drawList(board, "Changed", changed)];
  if (stayed.length) lists.push(" · ", drawList(board, "Stayed", stayed));
  changes.replaceChildren(...lists);
  flash(board, before, changed);
  const names = (some) => some.map((key) => now.matrices[key].text).join(", ");
  say(board, `Changed: ${names(changed)}. ${stayed.length ? `Stayed: ${names(stayed)}.` : ""}`);
}
