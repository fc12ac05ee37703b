import {
  CROWDED, CROWDED_HEIGHT, GAP, LOWEST, NARROW, NARROWEST, alignHeads, apply, between, isUpright, matrixWidth, needsOf, widthOf,
} from "./needs.js";

/**
 * The sizes of a board of stages. All cells are alike, only wider where numbers need it. Stages flow like words; tall ones
 * float to the left and the others flow beside them, then below.
 */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Needs} Needs */

const ROOMY = 44;
const CROWDED_LIMIT = 28;
/** As in stages.css: between stages, and between the matrices of one. */
const STAGE_GAP = 40;
const PLACE_GAP = 18;
const CAPTION = 26;
/** A stage's title, and the space below the stage. */
const TITLE = 46;
const LABELS = 27;
/** A stage beside tall ones may stick out so far below them. */
const SLACK = 40;
/** Larger cells may make the board this much higher. */
const GENEROUS = 1.1;

const fontAt = (size) => between(10.5, size * 0.4, 15);
const columnAt = (needs, size) => Math.max(size, Math.ceil(widthOf(needs.figures, fontAt(size))));
const widthAt = (needs, size) => matrixWidth(needs, columnAt(needs, size));

/** @param {number} size @param {Iterable<Needs>} all */
function heightAt(size, all) {
  const isCrowded = [...all].some((needs) => needs.rows > CROWDED);
  return Math.round(isCrowded ? between(NARROWEST, size * 0.8, CROWDED_LIMIT) : between(LOWEST, size * 0.8, CROWDED_HEIGHT));
}

/** @param {Needs[][]} columns @returns {number} */
const stageWidth = (columns, size) => columns.reduce((used, column) =>
  used + PLACE_GAP + Math.max(...column.map((needs) => widthAt(needs, size))), -PLACE_GAP);

/** @param {Needs[][]} columns @returns {number} */
function stageHeight(columns, size, height) {
  const own = (needs) => CAPTION + (isUpright(needs, columnAt(needs, size)) ? needs.label : LABELS) + needs.rows * (height + GAP);
  return TITLE + Math.max(...columns.map((column) => column.reduce((sum, needs) => sum + own(needs) + PLACE_GAP, 0)));
}

const isTall = (columns) => columns.some((column) => column.length > 1);

/** How many of the stages float: all up to the last tall one, where they fit side by side. @param {Needs[][][]} stages */
function floating(stages, size, width) {
  const count = stages.findLastIndex(isTall) + 1;
  const wide = stages.slice(0, count).reduce((sum, stage) => sum + stageWidth(stage, size) + STAGE_GAP, -STAGE_GAP);
  return wide <= width ? count : 0;
}

/**
 * Flows the stages as the browser will. A stage that would stick out below the tall ones it stands beside turns to a line
 * of its own below them.
 * @param {Needs[][][]} stages @returns {{height: number, floats: number, turn: number}} how high the board is, how many
 *   stages float, and which one turns (−1: none)
 */
function flow(size, stages, width) {
  const height = heightAt(size, stages.flat(2));
  const floats = floating(stages, size, width);
  const tall = Math.max(0, ...stages.slice(0, floats).map((stage) => stageHeight(stage, size, height)));
  const beside = stages.slice(0, floats).reduce((left, stage) => left - stageWidth(stage, size) - STAGE_GAP, width);
  let [top, line, left, turn] = [0, 0, floats ? beside : width, -1];
  stages.slice(floats).forEach((stage, at) => {
    const own = stageWidth(stage, size);
    const high = stageHeight(stage, size, height);
    if (own > left) [top, line, left] = [top + line, 0, top + line < tall ? beside : width];
    if (top < tall && (own > beside || top + high > tall + SLACK)) {
      [top, line, left] = [Math.max(tall, top + line), 0, width];
      turn = floats + at;
    }
    left -= own + STAGE_GAP;
    // A stage that is wider than the board wraps inside, and gets about so much higher.
    line = Math.max(line, high * Math.ceil(own / width));
  });
  return { height: Math.max(tall, top + line), floats, turn };
}

/**
 * The largest size that costs hardly more height than the best one. On a narrow screen all stand one below another anyway:
 * there it is the largest that fits.
 * @param {Needs[][][]} stages
 */
function chooseSize(stages, width) {
  const isWhole = (size) => stages.flat(2).every((needs) => widthAt(needs, size) <= width);
  const all = Array.from({ length: ROOMY - NARROWEST + 1 }, (_, step) => ROOMY - step);
  const sizes = all.filter(isWhole);
  if (!sizes.length || width < NARROW) return sizes[0] ?? NARROWEST;
  const heights = sizes.map((size) => flow(size, stages, width).height);
  const least = Math.min(...heights);
  return sizes.find((_, at) => heights[at] <= least * GENEROUS);
}

/** Fits all stages to the board's present width. @param {Board} board */
export function fitStages(board) {
  const { width } = board;
  const needs = new Map(board.grids.map((grid) => [grid, needsOf(board.heavy.matrices[grid.key], null)]));
  const towers = width < NARROW ? [board.grids] : board.stages.flatMap((stage) => stage.columns);
  for (const tower of towers) alignHeads(tower.map((grid) => needs.get(grid)), width);
  const stages = board.stages.map((stage) => stage.columns.map((column) => column.map((grid) => needs.get(grid))));
  const size = chooseSize(stages, width);
  const height = heightAt(size, needs.values());
  needs.forEach((each, grid) => apply(grid, each, columnAt(each, size), height, fontAt(size)));
  const { floats, turn } = flow(size, stages, width);
  board.stages.forEach((stage, at) => {
    const { el } = stage;
    stage.turn.hidden = at !== turn;
    el.classList.toggle("floats", at < floats);
    el.classList.toggle("wraps", stageWidth(stages[at], size) > width);
  });
}
