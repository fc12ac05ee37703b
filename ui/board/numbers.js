/** Reads what a learner typed. The board never computes a number; it only compares and passes on. */

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITY = /^([+-]?)(∞|inf|infinity)$/i;

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The power of ten of a shown number, in plain spelling: ×10⁶ to e6. */
const plainPower = (_, digits) => `e${[...digits].map((digit) => (digit === "⁻" ? "-" : SUPERSCRIPTS.indexOf(digit))).join("")}`;

/** Spaces out, typographic minus to hyphen, decimal comma to point. */
const tidy = (text) => text.replace(/\s/g, "").replace(/[−–]/g, "-").replace(",", ".")
  .replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, plainPower);

/** @param {string} text @returns {?string} the number in plain spelling ("-0.5"), or null when it is none */
export function plainNumber(text) {
  const tidied = tidy(text);
  return PLAIN.test(tidied) && Number.isFinite(Number(tidied)) ? tidied.replace(/^\+/, "") : null;
}

/** @param {string} text @returns {?number} a fraction such as 4/9, as only answers may be written */
export function fractionOf(text) {
  const [top, bottom, ...more] = tidy(text).split("/").map((part) => (PLAIN.test(part) ? Number(part) : NaN));
  return more.length || !Number.isFinite(top / bottom) ? null : top / bottom;
}

/** @returns {?number} also ±∞, which only answers may use: a masked score is −∞ */
function valueOf(text) {
  const infinite = INFINITY.exec(tidy(text));
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  const plain = plainNumber(text);
  return plain === null ? null : Number(plain);
}

/** @returns {boolean} is it a number at all, −∞ included */
export const isNumber = (text) => valueOf(text) !== null || fractionOf(text) !== null;

/**
 * Do a typed and a shown text name the same number? More digits than are shown are welcome: 5.6522 answers 5.652.
 * A whole number is shown as such, and then only that number is right.
 * @returns {boolean}
 */
export function sameNumber(typed, shown) {
  const value = valueOf(typed);
  const wanted = valueOf(shown);
  if (value === null || value === wanted) return value !== null;
  const [, decimals, power] = /\.(\d+)(?:e(-?\d+))?$/.exec(tidy(shown)) ?? [];
  return decimals !== undefined && Math.abs(value - wanted) <= 0.5 * 10 ** (Number(power ?? 0) - decimals.length);
}
