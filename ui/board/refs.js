/** Cell references as Python writes them: "S:0,1" is row 0, column 1 of S; "X:0,0-3" is a run of cells. */

/** @returns {string} */
export const makeRef = (matrix, row, col) => `${matrix}:${row},${col}`;

/** @returns {{matrix: string, row: number, col: number}} */
export function parseRef(ref) {
  const colon = ref.lastIndexOf(":");
  const [row, col] = ref.slice(colon + 1).split(",").map(Number);
  return { matrix: ref.slice(0, colon), row, col };
}

/** "0-3" → [0, 1, 2, 3]; "2" → [2] */
function expandSpan(span) {
  const [first, last = first] = span.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

/** @param {string} run @returns {string[]} the single cells of a run */
export function expandRun(run) {
  const colon = run.lastIndexOf(":");
  const matrix = run.slice(0, colon);
  const [rows, cols] = run.slice(colon + 1).split(",").map(expandSpan);
  return rows.flatMap((row) => cols.map((col) => makeRef(matrix, row, col)));
}

/** Axes called "token", "token-key", … have tokens as labels: a position is an identity. */
export const isTokenAxis = (axis) => axis.axis.startsWith("token");
