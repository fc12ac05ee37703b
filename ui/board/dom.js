/** Small helpers for building and updating elements. Text reaches the page only as text nodes. */

/**
 * @param {string} tag
 * @param {Record<string, string | boolean>} [attributes] `text` becomes textContent; false leaves an attribute out
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") el.textContent = value;
    else if (value !== false) el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children);
  return el;
}

/**
 * A plain button that does one thing.
 * @param {string} text @param {(event: MouseEvent) => void} act @param {Record<string, string>} [attributes]
 */
export function button(text, act, attributes = {}) {
  const el = make("button", { type: "button", text, ...attributes });
  el.onclick = act;
  return el;
}

/** @returns {boolean} does the viewer want nothing to move */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Writes text only when it differs, so that an unchanged live region stays silent. */
export function setText(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Sets an attribute, or removes it when the value is null or false. */
export function setAttribute(el, name, value) {
  if (value === null || value === false) el.removeAttribute(name);
  else el.setAttribute(name, value === true ? "" : value);
}
