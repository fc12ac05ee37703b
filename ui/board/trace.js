import { expandRun, parseRef } from "./refs.js";

/** Answers which cells made a cell, and how far away each of them stands. */
export class Trace {
  /** @param {Record<string, import("./types.js").Matrix>} matrices */
  constructor(matrices) {
    this.matrices = matrices;
    this.sources = new Map();
    this.found = new Map();
  }

  /** @param {string} ref @returns {string[]} the cells this one was computed from; empty for an input */
  sourcesOf(ref) {
    let sources = this.sources.get(ref);
    if (!sources) {
      const { matrix, row, col } = parseRef(ref);
      const runs = this.matrices[matrix]?.from?.[`${row},${col}`] ?? [];
      sources = runs.flatMap(expandRun);
      this.sources.set(ref, sources);
    }
    return sources;
  }

  /**
   * Walks outwards level by level, so each cell gets its shortest distance. Kept, because a pointer
   * crosses the same cells again and again.
   * @param {string} ref @returns {Map<string, number>} cell → distance, the cell itself left out
   */
  from(ref) {
    let distances = this.found.get(ref);
    if (distances) return distances;
    distances = new Map([[ref, 0]]);
    let edge = [ref];
    for (let distance = 1; edge.length; distance += 1) {
      const next = [];
      for (const source of edge.flatMap((cell) => this.sourcesOf(cell))) {
        if (distances.has(source)) continue;
        distances.set(source, distance);
        next.push(source);
      }
      edge = next;
    }
    distances.delete(ref);
    this.found.set(ref, distances);
    return distances;
  }
}
