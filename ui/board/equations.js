import { make, setAttribute, setText } from "./dom.js";
import { buildGrid, paintGrid } from "./grid.js";
import { drawMath } from "./math.js";
import { fitSizes, isLong } from "./sizes.js";
import { buildStage } from "./stages.js";
import { visibleCopy } from "./state.js";

/** Lays matrices out as equations or in stages, and rebuilds them only when matrices or shapes change. */

/** @typedef {import("./types.js").Board} Board */

/** Everything that decides which elements exist. Texts are not part of it: they are written in place. */
function outline(heavy) {
  const shapes = Object.entries(heavy.matrices).map(([key, { rows, cols }]) =>
    [key, rows.axis, rows.labels.length, cols.axis, cols.labels.length]);
  const equations = heavy.equations.map(({ items, origin }) => [items, origin]);
  return JSON.stringify([shapes, equations, heavy.stages]);
}

/** A sign stands before its matrix and wraps with it, so no line ends in «=». */
function buildLine(board, equation) {
  const grids = [];
  const signs = [];
  const terms = [];
  let sign = null;
  const addTerm = (...parts) => terms.push(make("div", { class: "term" }, ...parts));
  for (const item of equation.items) {
    if (item.m === undefined) {
      sign ??= make("span", { class: "sign" });
      if (sign.hasChildNodes()) sign.append(" ");
      sign.append(drawMath(board, item.sign));
      continue;
    }
    const grid = buildGrid(board.heavy.matrices[item.m], item.m);
    grids.push(grid);
    signs.push(sign ? sign.textContent : "");
    sign?.classList.toggle("words", isLong(sign.textContent));
    addTerm(...(sign ? [sign] : []), grid.figure);
    sign = null;
  }
  if (sign) addTerm(sign);
  const title = make("h3");
  const note = make("p", { class: "line-note" });
  const el = make("section", { class: "line-block" }, title, note, make("div", { class: "equation" }, ...terms));
  return { equation, grids, signs, title, note, el };
}

/** Titles may name numbers: they are written in place. @param {Board} board @param {import("./types.js").Line} line */
function writeTitle(board, line, { title = "", note = "" }) {
  for (const [el, words] of [[line.title, title], [line.note, note]]) {
    const drawn = JSON.stringify(words);
    if (el.dataset.drawn !== drawn) el.replaceChildren(drawMath(board, words));
    el.dataset.drawn = drawn;
    el.hidden = !words;
  }
  line.el.classList.toggle("titled", Boolean(title));
}

/** Where is each cell drawn, and what does each element stand for. */
function index(board) {
  board.grids = [...board.lines, ...board.stages].flatMap((part) => part.grids);
  board.cells = new Map();
  board.views = new Map();
  for (const grid of board.grids) {
    for (const label of [...grid.rowLabels, ...grid.colLabels]) board.views.set(label.el, label);
    for (const cell of grid.cells.flat()) {
      board.views.set(cell.el, cell);
      board.cells.set(cell.ref, [...(board.cells.get(cell.ref) ?? []), cell]);
    }
  }
}

function rebuild(board) {
  const focused = board.views.get(board.root.getRootNode().activeElement);
  board.inline?.close();
  board.lines = board.heavy.equations.map((equation) => buildLine(board, equation));
  board.stages = (board.heavy.stages ?? []).map((stage) => buildStage(board, stage));
  index(board);
  board.lit = new Map();
  board.bands = new Map();
  board.spot = { hover: null, focus: null, kept: null };
  const { main, origins } = board.parts;
  main.replaceChildren(...board.lines.filter((line) => !line.equation.origin).map((line) => line.el));
  if (board.stages.length) main.append(make("div", { class: "stages" }, ...board.stages.flatMap(({ turn, el }) => [turn, el])));
  origins.replaceChildren(...board.lines.filter((line) => line.equation.origin).map((line) => line.el));
  if (focused?.ref) visibleCopy(board, focused.ref)?.el.focus();
}

/** @param {Board} board */
export function renderEquations(board) {
  const { heavy, view, parts } = board;
  const drawn = outline(heavy);
  if (drawn !== board.drawn) rebuild(board);
  board.drawn = drawn;
  heavy.equations.forEach((equation, at) => writeTitle(board, board.lines[at], equation));
  for (const grid of board.grids) paintGrid(board, grid);
  fitSizes(board);

  const hasOrigins = heavy.equations.some((equation) => equation.origin);
  setText(parts.disclose, heavy.originsTitle ?? "");
  setAttribute(parts.disclose, "aria-expanded", String(view.open));
  parts.disclose.hidden = !hasOrigins;
  parts.origins.hidden = !hasOrigins || !view.open;
}
