import { setAttribute } from "./dom.js";
import { isTokenAxis } from "./refs.js";
import { pinned } from "./state.js";

/**
 * Who is lit. Cells carry data-lit="near|far|farther" (where a number came from) and data-band="row|col|both" (a token's
 * row and column). Only the difference to what is lit already is written, so a hover stays within its frame.
 */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Spot} Spot */

const STRENGTHS = ["near", "far", "farther"];

/** What the trace follows now: the pointer first, then the keyboard, then the pin. @returns {?Spot} */
function tracedSpot(board) {
  const { hover, focus } = board.spot;
  if (hover) return hover;
  if (focus) return focus;
  const ref = pinned(board);
  return ref ? { kind: "cell", ref } : null;
}

/** @param {Board} board @param {?Spot} spot @returns {Map<Element, string>} */
function litBy(board, spot) {
  const lit = new Map();
  const light = (ref, strength) => board.cells.get(ref)?.forEach((cell) => lit.set(cell.el, strength));
  if (spot?.kind === "one") light(spot.ref, "near");
  if (spot?.kind === "cell") {
    for (const [ref, distance] of board.trace.from(spot.ref)) {
      light(ref, STRENGTHS[Math.min(distance, STRENGTHS.length) - 1]);
    }
  }
  return lit;
}

/** A token's row and column in every matrix; several spots add up. @param {Board} board @param {Spot[]} spots */
function bandsOf(board, spots) {
  const bands = new Map();
  const add = (el, kind) => bands.set(el, (bands.get(el) ?? kind) === kind ? kind : "both");
  for (const { axis, at } of spots) {
    for (const grid of board.grids) {
      const { rows, cols } = board.heavy.matrices[grid.key];
      if (isTokenAxis(rows) && rows.axis === axis) grid.cells[at]?.forEach((cell) => add(cell.el, "row"));
      if (isTokenAxis(cols) && cols.axis === axis) grid.cells.forEach((row) => row[at] && add(row[at].el, "col"));
    }
  }
  return bands;
}

function write(attribute, before, after) {
  for (const el of before.keys()) if (!after.has(el)) el.removeAttribute(attribute);
  for (const [el, value] of after) if (before.get(el) !== value) setAttribute(el, attribute, value);
}

/** @param {Board} board */
export function applyLight(board) {
  const spot = tracedSpot(board);
  const lit = litBy(board, spot);
  const bands = bandsOf(board, [spot, board.spot.kept].filter((each) => each?.kind === "label"));
  write("data-lit", board.lit, lit);
  write("data-band", board.bands, bands);
  board.lit = lit;
  board.bands = bands;
}

/** Points at something (or at nothing) by pointer or keyboard. @param {Board} board @param {"hover" | "focus"} by */
export function point(board, by, spot) {
  const before = board.spot[by];
  if (before === spot || (before && spot && before.ref === spot.ref && before.kind === spot.kind && before.at === spot.at
    && before.axis === spot.axis)) return;
  board.spot[by] = spot;
  applyLight(board);
}
