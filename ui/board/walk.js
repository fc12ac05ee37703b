import { button, make, setAttribute, setText } from "./dom.js";
import { go, isHere, toHeading, toTop } from "./navigate.js";
import { say } from "./speech.js";
import { mainCells, visibleCopy } from "./state.js";
import { pause, stepBy } from "./steps.js";
import { awaitAnswer } from "./watch.js";

/** The dock: walking through the course page by page, or also cell by cell, with buttons, arrow keys or a clicker. */

/** @typedef {import("./types.js").Board} Board @typedef {"prev" | "next" | "toggle" | "stop"} Way */

const HOW = "Arrow keys lead on and back; in a matrix, press Esc first";
const KEYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

const HEARD = 300;

/** Where the arrows already mean something. */
const OWNERS = "input, textarea, select, audio, video, [contenteditable], .table, "
  + ["grid", "slider", "radiogroup", "tablist", "listbox", "menu", "dialog"].map((role) => `[role=${role}]`).join(", ");

/** On the screen, room for the dock below the page's last line, and what gets the focus is scrolled clear of it. */
const room = new CSSStyleSheet();
room.replaceSync(`@media screen {
  .stMainBlockContainer { padding-bottom: 9rem; }
  .stMain { scroll-padding-bottom: 8rem; }
}`);

/** The way that led to another page: the dock there puts the focus on the same button. @type {?Way} */
let led = null;

/** @param {Board} board @param {Way} way @returns {?string} where it leads, if anywhere */
function addressOf(board, way) {
  const target = board.heavy.walk?.[way] ?? null;
  return target?.href ?? target;
}

/** Goes where one wanted to, once all that was said is answered: an answer still on its way would undo the change. */
function leave(board) {
  const { walk, heavy } = board;
  if (!walk.way || board.watch !== null) return;
  const href = addressOf(board, walk.way);
  if (href !== null && !isHere(href)) {
    led = walk.way;
    walk.left = heavy;
    go(href);
    if (walk.way === "prev" || walk.way === "next") toTop();
    awaitAnswer(board);
  }
  walk.way = null;
}

/** @param {Board} board @param {Way} way */
function turn(board, way) {
  // The page that was left stands there until the next one comes.
  if (board.walk.left === board.heavy) return;
  board.walk.way = way;
  leave(board);
}

/** On or back: a cell where one is left, else a page. @param {Board} board @param {1 | -1} by */
function lead(board, by) {
  pause(board);
  if (board.walk.left === board.heavy || (board.heavy.walk.cells && stepBy(board, by))) return;
  turn(board, by > 0 ? "next" : "prev");
}

function onKey(board, event) {
  const by = KEYS[event.key];
  if (!by || !board.heavy?.walk || event.defaultPrevented || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.composedPath().some((el) => el instanceof Element && el.matches(OWNERS))) return;
  event.preventDefault();
  lead(board, by);
}

/** @param {Board} board */
export function buildDock(board) {
  const parts = {
    prev: button("◂ back", () => lead(board, -1)),
    next: button("next ▸", () => lead(board, 1), { class: "onward", title: HOW }),
    toggle: button("cell by cell", () => turn(board, "toggle"), { role: "switch" }),
    stop: button("close", () => turn(board, "stop")),
    where: make("b"),
    count: make("span"),
  };
  const dock = make("nav", { class: "dock", "aria-label": "Walk through the course", title: HOW }, parts.prev,
    make("p", { class: "place" }, parts.where, " ", parts.count), parts.next, parts.toggle, parts.stop);
  dock.hidden = true;
  // The berth is as wide as the card: the dock is fixed to the window, in the middle above the card's column.
  const berth = make("div", { class: "berth" }, dock);
  board.walk = { berth, dock, parts, way: null, left: null, onKey: (event) => onKey(board, event) };
}

/** Listens to the arrow keys; listening twice is listening once. @param {Board} board */
export const listenToArrows = (board) => document.addEventListener("keydown", board.walk.onKey);

function makeRoom(isWanted) {
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== room);
  document.adoptedStyleSheets = isWanted ? [...others, room] : others;
}

/** The board leaves the page. @param {Board} board */
export function stopWalking(board) {
  document.removeEventListener("keydown", board.walk.onKey);
  makeRoom(false);
}

/** The page that one was led to stands there: it is named, and the focus stays where it was in the dock. */
function arrive(board) {
  const { parts } = board.walk;
  // A live region that is new itself would not be heard.
  if (led === "prev" || led === "next") setTimeout(() => board.parts.live.textContent || say(board, parts.where.textContent), HEARD);
  parts[led].focus({ preventScroll: true });
  led = null;
}

/** @param {Board} board */
export function renderWalk(board) {
  const { dock, parts } = board.walk;
  const { walk } = board.heavy;
  const isLeft = !walk && dock.contains(dock.getRootNode().activeElement);
  dock.hidden = !walk;
  makeRoom(Boolean(walk));
  setAttribute(board.root, "data-walking", Boolean(walk));
  if (isLeft) visibleCopy(board, mainCells(board)[0])?.grid.stop.focus();
  if (!walk) {
    if (led === "next") toHeading();
    led = null;
    return;
  }

  const last = mainCells(board).length;
  const isStepping = walk.cells && board.view.step !== null;
  const step = walk.cells ? (board.view.step ?? last) : 0;
  setText(parts.next, walk.next.end && (step === last || !walk.cells) ? "finish ▸" : "next ▸");
  setText(parts.where, `step ${walk.at}: ${walk.title}`);
  setText(parts.count, isStepping ? (step ? `cell ${step} of ${last}` : `${last} cells`) : "");
  // Not `disabled`, which would drop the focus of who walks with the keyboard.
  setAttribute(parts.prev, "aria-disabled", walk.prev || step > 0 ? null : "true");
  setAttribute(parts.toggle, "aria-checked", String(walk.cells));
  leave(board);
  if (led && board.walk.left !== board.heavy) arrive(board);
}
