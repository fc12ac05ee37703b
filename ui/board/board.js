import { renderAsk, renderCard } from "./ask.js";
import { tellChanges } from "./changes.js";
import { copyNotes, copyText, screenLink } from "./copy.js";
import { renderDerivation } from "./derivation.js";
import { button, make, setAttribute } from "./dom.js";
import { givenMatrices, resetEdits, toggleEdit } from "./edit.js";
import { renderEquations } from "./equations.js";
import { listen } from "./events.js";
import { applyLight } from "./light.js";
import { drawMath } from "./math.js";
import { fitSizes, measure } from "./sizes.js";
import { change, createBoard, receive } from "./state.js";
import { answered } from "./watch.js";
import { buildSteps, renderSteps, stopPlaying } from "./steps.js";
import { buildDock, listenToArrows, renderWalk, stopWalking } from "./walk.js";

/**
 * The board: clickable matrices in which every cell explains itself. Streamlit calls the default export on every
 * change of data or theme; a board is built once for each mount and from then on only updated.
 */

/** @typedef {import("./types.js").Board} Board */

/** @type {WeakMap<Node, Board>} */
const boards = new WeakMap();

/** Builds the parts that stay for the board's whole life. @returns {Board} */
function build() {
  const part = (tag, name, attributes = {}) => make(tag, { class: name, ...attributes });
  const root = part("div", "board");
  const board = createBoard(root);
  const parts = {
    facts: part("div", "facts"),
    main: part("div", "equations"),
    origins: part("div", "equations origins", { id: "origins" }),
    disclose: button("", () => change(board, { open: !board.view.open }),
      { class: "disclose", "aria-controls": "origins" }),
    steps: part("div", "group", { role: "group", "aria-label": "Step through the cells" }),
    edit: button("edit numbers", () => toggleEdit(board)),
    reset: button("reset", () => resetEdits(board)),
    link: button("copy link", (event) => copyText(board, screenLink(board), "link", event.currentTarget)),
    changes: part("p", "changes"),
    problem: part("p", "problem"),
    why: part("section", "why", { "aria-label": "How the number was made" }),
    ask: part("section", "ask", { "aria-label": "Question" }),
    live: part("div", "unseen", { role: "status" }),
  };
  board.parts = parts;
  const controls = buildSteps(board);
  buildDock(board);
  parts.problem.hidden = true;

  const hint = make("span", { class: "hint" },
    make("span", { class: "hover-hint", text: "hover to trace · click to pin · arrows to move" }),
    make("span", { class: "touch-hint", text: "tap a cell to pin it" }),
    make("span", { class: "mask-hint", text: "click or tap a cell of M to block or open it" }),
    make("span", { class: "edit-hint", text: "choose an underlined number and type" }));
  parts.tools = make("div", { class: "tools" }, parts.changes, make("div", { class: "group right" }, parts.steps, parts.edit, parts.reset,
    parts.link, ...copyNotes()));
  // The derivation stands next to the main equation, above the origins that a learner may open.
  parts.card = make("div", { class: "card" }, make("div", { class: "bar" }, parts.facts, hint), parts.main, parts.problem,
    parts.tools, parts.why, parts.disclose, parts.origins);
  root.append(parts.card, parts.ask, parts.live);

  board.render = () => render(board, controls);
  listen(board);
  new ResizeObserver(([entry]) => {
    board.width = entry.contentRect.width;
    fitSizes(board);
  }).observe(parts.main);
  const heights = new ResizeObserver(() => measure(board));
  for (const el of [parts.why, parts.tools]) heights.observe(el);
  return board;
}

function renderFacts(board) {
  const { facts } = board.parts;
  const drawn = JSON.stringify(board.heavy.facts ?? []);
  if (facts.dataset.drawn === drawn) return;
  facts.dataset.drawn = drawn;
  facts.replaceChildren(...(board.heavy.facts ?? []).map(([label, value]) =>
    make("span", {}, drawMath(board, label), " ", ...[value].flat().flatMap((text) => [make("bdi", { text }), " "]))));
}

function renderTools(board, controls) {
  const { parts, heavy, view } = board;
  renderSteps(board, controls);
  parts.edit.hidden = givenMatrices(board).length === 0;
  setAttribute(parts.edit, "aria-pressed", String(view.edit));
  parts.reset.hidden = !heavy.resetEdits;
  setAttribute(board.root, "data-editing", view.edit);
  setAttribute(board.root, "data-stepping", view.step !== null);
  setAttribute(board.root, "data-masking", Object.values(heavy.matrices).some(({ toggles }) => toggles));
}

/** Brings the whole page part in line with what the board holds. @param {Board} board */
function render(board, controls) {
  renderCard(board);
  renderFacts(board);
  renderEquations(board);
  renderTools(board, controls);
  renderDerivation(board);
  renderAsk(board);
  renderWalk(board);
  applyLight(board);
}

/**
 * @param {{data: {board: object}, parentElement: Node, setStateValue: Function, setTriggerValue: Function}} component
 * @returns {() => void} called by Streamlit when the component leaves the page
 */
export default function mount({ data, parentElement, setStateValue, setTriggerValue }) {
  let board = boards.get(parentElement);
  if (!board) {
    board = build();
    boards.set(parentElement, board);
  }
  // The dock stands beside the card: inside, it would be fixed to the card and not to the window.
  if (board.root.parentNode !== parentElement) parentElement.append(board.root, board.walk.berth);
  listenToArrows(board);
  board.out = { state: setStateValue, trigger: setTriggerValue };
  const before = board.heavy;
  if (data && receive(board, data.board)) {
    board.render();
    tellChanges(board, before);
  }
  board.root.hidden = !board.heavy;
  return () => {
    stopPlaying(board);
    stopWalking(board);
    answered(board);
  };
}
