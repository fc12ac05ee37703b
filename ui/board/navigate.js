/** Going to another address of the app without loading it anew. */

/** @param {string} href @returns {string} the whole address, as a link on this page would have it */
const whole = (href) => new URL(href, document.baseURI).href;

/** @param {string} href @returns {boolean} are we there already */
export const isHere = (href) => whole(href) === location.href;

/** Streamlit draws the page of the address that the history names. @param {string} href */
export function go(href) {
  history.pushState({}, "", whole(href));
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** Lets a page be read from its heading, as links.js does. */
export function toHeading() {
  const heading = document.querySelector("h1.question");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

/** Shows a page from its top. */
export const toTop = () => document.querySelector(".stMain")?.scrollTo(0, 0);
