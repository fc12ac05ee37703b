import { expandRun, parseRef } from "./refs.js";

/** Answers which cells made a cell, and how far away each of them stands. Matrices that are not drawn are passed through. */
export class Trace {
  /** @param {Record<string, import("./types.js").Matrix>} matrices */
  constructor(matrices) {
    this.matrices = matrices;
    this.sources = new Map();
    this.found = new Map();
  }

  /** @returns {string[]} the cells that Python names for this one */
  named({ matrix, row, col }) {
    const from = this.matrices[matrix]?.from ?? {};
    const runs = from.rule?.map((run) => run.replaceAll("{i}", row).replaceAll("{j}", col)) ?? from[`${row},${col}`] ?? [];
    return runs.flatMap(expandRun);
  }

  /** @param {string} ref @returns {string[]} the drawn cells this one was computed from; empty for an input */
  sourcesOf(ref) {
    let sources = this.sources.get(ref);
    if (!sources) {
      const drawn = this.named(parseRef(ref)).flatMap((source) => (this.isBetween(source) ? this.sourcesOf(source) : [source]));
      sources = [...new Set(drawn)];
      this.sources.set(ref, sources);
    }
    return sources;
  }

  /** @param {string} ref @returns {boolean} does its matrix lie between drawn ones, and is not drawn itself */
  isBetween(ref) {
    return Boolean(this.matrices[parseRef(ref).matrix]?.between);
  }

  /** The drawn cell that holds the number of one that is not drawn, as K does for Kᵀ; else the cell itself. */
  standIn(ref) {
    if (!this.isBetween(ref)) return ref;
    const [source, ...more] = this.sourcesOf(ref);
    return source && !more.length && this.textOf(source) === this.textOf(ref) ? source : ref;
  }

  textOf(ref) {
    const { matrix, row, col } = parseRef(ref);
    return this.matrices[matrix].cells[row][col];
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
