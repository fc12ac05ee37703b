import { button, make } from "./dom.js";
import { drawMath } from "./math.js";
import { isNumber } from "./numbers.js";
import { say } from "./speech.js";
import { change, isRight } from "./state.js";

/** The question, below the card, or above a tall or a closed one: predict, then reveal. */

/** @typedef {import("./types.js").Board} Board */

/** What the link says is seen once the question is answered; one that hides nothing is marked by the cell it is about. */
const answers = (ask) => (ask.cells.length ? ask.cells : [ask.pin]);

/** Shows the asked cells. @param {Board} board @param {"right" | "given"} outcome */
function reveal(board, outcome) {
  const { ask } = board.heavy;
  board.asked.outcome = outcome;
  board.trail = [];
  // All cells are shown, also those that a walk in steps has not reached: the row must open.
  change(board, { seen: [...new Set([...board.view.seen, ...answers(ask)])], cell: ask.pin ?? board.view.cell, step: null });
  say(board, ask[outcome]);
  board.parts.ask.querySelector(".verdict").focus();
}

/** What is said of an answer, with its symbols drawn. */
const reply = (board, outcome) => drawMath(board, board.heavy.ask.drawn[outcome] ?? board.heavy.ask[outcome]);

/** Says why an answer does not do; the question stays. */
function refuse(board, verdict, text, drawn = text) {
  verdict.replaceChildren(drawn);
  verdict.hidden = false;
  say(board, text);
}

function check(board, input, verdict) {
  const { ask } = board.heavy;
  if (isRight(board, ask.pin, input.value)) {
    reveal(board, "right");
    return;
  }
  input.setAttribute("aria-invalid", "true");
  input.select();
  if (isNumber(input.value)) refuse(board, verdict, ask.wrong, reply(board, "wrong"));
  else refuse(board, verdict, "That is not a number. Type a number such as 2 or −0.5.");
}

/** One button for each option; a wrong one is crossed out, and another may be tried. */
function buildOptions(board, verdict) {
  const { ask } = board.heavy;
  const options = ask.options.map(([text, isAnswer]) => button(text, ({ currentTarget }) => {
    if (isAnswer) {
      reveal(board, "right");
      return;
    }
    currentTarget.classList.add("tried");
    currentTarget.setAttribute("aria-label", `${text}: not this one`);
    refuse(board, verdict, ask.wrong, reply(board, "wrong"));
  }, { class: "option" }));
  return make("div", { class: "reply options", role: "group", "aria-label": "Your answer" }, ...options,
    button("show me", () => reveal(board, "given"), { class: "link" }));
}

function buildForm(board, verdict) {
  const input = make("input", {
    type: "text", inputmode: "decimal", autocomplete: "off", placeholder: "?", "aria-label": "Your answer",
  });
  const form = make("form", { class: "reply" }, input, make("button", { type: "submit", class: "strong", text: "Check" }),
    button("show me", () => reveal(board, "given"), { class: "link" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    check(board, input, verdict);
  };
  return form;
}

/** The page's own text that would tell the answer waits for it (`later` in `ui/panels.py`). */
const tellPage = (board, isTold) => board.root.getRootNode().host?.setAttribute("data-asked", isTold ? "told" : "open");

/** @param {Board} board */
const isAnswered = ({ heavy: { ask }, view }) => answers(ask).every((ref) => view.seen.includes(ref));

/** A question may stand above the board, in reading order too; one that opens it keeps it closed. @param {Board} board */
export function renderCard(board) {
  const { parts: { ask: panel, card }, heavy: { ask } } = board;
  const above = Boolean(ask?.above);
  if (above !== (panel.nextElementSibling === card)) card[above ? "before" : "after"](panel);
  card.hidden = Boolean(ask?.opens) && !isAnswered(board);
}

/** @param {Board} board */
export function renderAsk(board) {
  const { ask } = board.heavy;
  const panel = board.parts.ask;
  panel.hidden = !ask;
  tellPage(board, !ask);
  if (!ask) return;
  if (board.asked.id !== ask.id) board.asked = { id: ask.id, outcome: null };
  const isDone = isAnswered(board);
  tellPage(board, isDone);
  const drawn = JSON.stringify([ask, isDone]);
  if (panel.dataset.drawn === drawn) return;
  panel.dataset.drawn = drawn;

  const verdict = make("p", { class: "verdict", tabindex: "-1" });
  verdict.hidden = !isDone;
  // After a reload nobody knows how the answer was found: then it is simply told.
  if (isDone) verdict.append(reply(board, board.asked.outcome ?? "given"));
  const text = make("div", {}, make("b", {}, drawMath(board, ask.title)));
  if (!isDone) text.append(make("span", {}, drawMath(board, ask.hint)));
  text.append(verdict);
  panel.classList.toggle("done", isDone);
  panel.replaceChildren(text);
  if (!isDone) panel.append(ask.options.length ? buildOptions(board, verdict) : buildForm(board, verdict));
}
