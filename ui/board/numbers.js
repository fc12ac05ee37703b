/** Reads what a learner typed. The board never computes a number; it only compares and passes on. */

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITY = /^([+-]?)(∞|inf|infinity)$/i;

/** Spaces out, typographic minus to hyphen, decimal comma to point. */
const tidy = (text) => text.replace(/\s/g, "").replace(/[−–]/g, "-").replace(",", ".");

/** @param {string} text @returns {?string} the number in plain spelling ("-0.5"), or null when it is none */
export function plainNumber(text) {
  const tidied = tidy(text);
  return PLAIN.test(tidied) && Number.isFinite(Number(tidied)) ? tidied.replace(/^\+/, "") : null;
}

/** @returns {?number} also ±∞, which only answers may use: a masked score is −∞ */
function valueOf(text) {
  const infinite = INFINITY.exec(tidy(text));
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  const plain = plainNumber(text);
  return plain === null ? null : Number(plain);
}

/** @returns {boolean} do a typed and a shown text name the same number */
export function sameNumber(typed, shown) {
  const value = valueOf(typed);
  return value !== null && value === valueOf(shown);
}
