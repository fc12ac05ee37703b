import { fractionOf, plainNumber, sameNumber } from "./numbers.js";
import { makeRef, parseRef } from "./refs.js";
import { Trace } from "./trace.js";
import { answered, awaitAnswer } from "./watch.js";

/** What the board holds: the last heavy message, the viewer's state, and the questions other modules ask of them. */

/** @typedef {import("./types.js").Board} Board */

const EMPTY_VIEW = { cell: null, seen: [], step: null, open: false, edit: false };

/** @returns {Board} */
export function createBoard(root) {
  return {
    root, parts: {}, out: null, heavy: null, view: { ...EMPTY_VIEW }, seq: 0, resent: null, flags: new Map(),
    trace: new Trace({}), drawn: "", grids: [], lines: [], stages: [], cells: new Map(), views: new Map(),
    spot: { hover: null, focus: null, kept: null }, lit: new Map(), bands: new Map(), trail: [], pending: new Map(),
    inline: null, timer: null, watch: null, asked: { id: null, outcome: null }, whyDrawn: "", width: 0, render: null,
    walk: null, sent: 0,
  };
}

/** Cells that wear a flag, as sets, so that painting a cell looks nothing up in a list. */
function flagsOf(matrix) {
  const pairs = (rows) => new Set((rows ?? []).flatMap((cols, row) => cols.map((col) => `${row},${col}`)));
  return {
    blocked: new Set((matrix.blocked ?? []).map(([row, col]) => `${row},${col}`)),
    marked: pairs(matrix.marks),
    edited: new Set(Object.keys(matrix.edited ?? {})),
  };
}

/** @param {Board} board */
function hold(board, { numbers, ...around }) {
  const data = { ...around, ...JSON.parse(numbers) };
  board.heavy = data;
  Object.assign(data.why, around.why);
  board.resent = null;
  board.trace = new Trace(data.matrices);
  board.flags = new Map(Object.entries(data.matrices).map(([key, matrix]) => [key, flagsOf(matrix)]));
  board.trail = board.trail.filter((ref) => hasCell(board, ref));
  // Once the last edit is answered nothing waits: what was not taken up was refused, or changed back elsewhere.
  if (data.answers === board.sent) board.pending.clear();
  for (const ref of board.pending.keys()) if (!hasCell(board, ref)) board.pending.delete(ref);
}

/**
 * Takes one message in. A light one (no numbers) only brings view and derivations for what is held already.
 * @param {Board} board @returns {boolean} is there something to draw
 */
export function receive(board, data) {
  if (data.numbers) hold(board, data);
  else if (board.heavy?.id === data.id) Object.assign(board.heavy.why, data.why);
  else {
    // Ask once: the same message arrives again on every change of theme.
    if (board.resent !== data.id) board.out.trigger("resend", { id: data.id });
    board.resent = data.id;
    return board.heavy !== null;
  }
  // An echo older than what was sent last would undo the viewer's newest act.
  // While playing, the board runs ahead of what it has sent.
  if (data.view && data.view.seq >= board.seq && board.pending.size === 0) answered(board);
  if (data.view && data.view.seq >= board.seq && board.timer === null) {
    const { seq, ...view } = data.view;
    board.seq = seq;
    // A cell chosen elsewhere (a link, the page's own controls) starts a new walk.
    if (view.cell !== board.view.cell) board.trail = [];
    board.view = { ...EMPTY_VIEW, ...view };
  }
  return true;
}

/** Tells Python the viewer's state. @param {Board} board */
export function sendView(board) {
  board.seq += 1;
  board.out.state("view", { seq: board.seq, ...board.view });
  awaitAnswer(board);
}

/** Changes the viewer's state, draws it and tells Python. @param {Board} board */
export function change(board, patch) {
  board.view = { ...board.view, ...patch };
  board.render();
  sendView(board);
}

/** Pins a cell chosen on the board: a new walk starts. @param {Board} board */
export function pin(board, ref) {
  board.trail = [];
  change(board, { cell: ref });
}

/** @param {Board} board @returns {boolean} does this cell exist in the matrices held */
function hasCell(board, ref) {
  const { matrix, row, col } = parseRef(ref);
  return board.heavy.matrices[matrix]?.cells[row]?.[col] !== undefined;
}

/** @param {Board} board @returns {boolean} is the cell's matrix drawn in some equation */
export const isDrawn = (board, ref) => board.cells.has(ref);

/** @param {Board} board @param {string} matrix @returns {boolean} would one have to open the origins to see it */
export const isOnlyInOrigins = (board, matrix) => !board.heavy.stages && board.heavy.equations.every(({ origin, items }) =>
  origin || items.every((item) => item.m !== matrix));

/** @param {Board} board @returns {?string} the pinned cell, when it exists here */
export function pinned(board) {
  const { cell } = board.view;
  return cell && isDrawn(board, cell) ? cell : null;
}

/** A matrix may be drawn twice, once out of sight. @param {Board} board @returns {?import("./types.js").CellView} */
export function visibleCopy(board, ref) {
  const copies = board.cells.get(ref) ?? [];
  return copies.find((cell) => cell.el.offsetParent) ?? null;
}

/** @param {Board} board @returns {boolean} waits for the learner's answer */
export const isHidden = (board, ref) => board.heavy.hidden.includes(ref) && !board.view.seen.includes(ref);

/** @param {Board} board @returns {boolean} not yet reached in step mode, or made of what is not */
export function isLater(board, ref) {
  const { step } = board.view;
  if (step === null) return false;
  const { matrix, row, col } = parseRef(ref);
  const { main, matrices } = board.heavy;
  if (matrix === main) return row * matrices[main].cells[0].length + col >= step;
  const order = Object.keys(matrices);
  if (order.indexOf(matrix) < order.indexOf(main)) return false;
  return [...board.trace.from(ref).keys()].some((source) => parseRef(source).matrix === main && isLater(board, source));
}

/** A secret cell's number must show nowhere, neither in the grid nor in a derivation. @param {Board} board */
export const isSecret = (board, ref) => isHidden(board, ref) || isLater(board, ref);

/** @param {Board} board @returns {string[]} the main matrix's cells in reading order */
export function mainCells(board) {
  const key = board.heavy.main;
  const rows = board.heavy.matrices[key]?.cells ?? [];
  return rows.flatMap((row, at) => row.map((_, col) => makeRef(key, at, col)));
}

/** @param {Board} board @returns {string} a cell's name in words: S[I, love] */
export function cellName(board, ref) {
  const { matrix, row, col } = parseRef(ref);
  const { text, rows, cols } = board.heavy.matrices[matrix];
  return `${text}[${rows.labels[row]}, ${cols.labels[col]}]`;
}

/** @param {Board} board @returns {string} the number Python wrote for a cell */
export function cellText(board, ref) {
  const { matrix, row, col } = parseRef(ref);
  return board.heavy.matrices[matrix].cells[row][col];
}

const decimalsOf = (text) => /\.(\d*)$/.exec(text)?.[1].length ?? 0;

/**
 * Does a typed text name a hidden number, as it is shown or more exactly? Where hand arithmetic on the shown numbers may
 * give another last digit, the question says within which bounds.
 * @param {Board} board
 */
export function isRight(board, ref, typed) {
  const { ask, exact: { [ref]: exact } } = board.heavy;
  const [low, high] = (ask?.pin === ref && ask.within) || [];
  const fraction = fractionOf(typed);
  if (fraction !== null) return (low <= fraction && fraction <= high) || Math.abs(fraction - exact) <= 1e-9 * Math.abs(exact);
  const plain = plainNumber(typed) ?? "";
  const value = Number(plain || NaN);
  const isFiner = decimalsOf(plain) >= decimalsOf(cellText(board, ref));
  return sameNumber(typed, cellText(board, ref)) || (low <= value && value <= high)
    || (isFiner && Math.abs(value - exact) <= 0.5 * 10 ** -decimalsOf(plain) + 1e-9 * Math.abs(exact));
}

/** @param {Board} board @returns {boolean} may this cell be typed over now */
export const isEditable = (board, ref) => board.view.edit && Boolean(board.heavy.matrices[parseRef(ref).matrix].given);
