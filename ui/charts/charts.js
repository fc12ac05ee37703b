import { button, make, setAttribute, setText } from "../attention.board/dom.js";
import { draw } from "./plot.js";

/**
 * Charts of a page, one below another: a plot, the sentence of the place that is shown, a slider where there is a sweep,
 * and the numbers as a table. Moving the slider needs no server; where it stands is told when it is let go.
 *
 * @typedef {{title: string, x: object, y: object}} Panel
 * @typedef {{label: string, traces: object[], says: string}} Stop
 * @typedef {{title: string, alt: string, panels: Panel[], stops: Stop[], table: {heads: string[], rows: string[][]},
 *   sweep: string, notes: string[], lines: string[], tall: boolean, question: {title: string, options: [string, boolean][], right: string, wrong: string}?}} Chart
 */

/** What each place of the page shows: its data as text, and the figures that were built for it. */
const shown = new WeakMap();

/** A text in which the paper's symbols, such as d_k, are set with their subscripts. @param {string} text */
const typeset = (text) => text.split(/\b([dW]_(?:k|v|model|[QKVO]))\b/).map((part, i) => {
  const [base, sub] = part.split("_");
  return i % 2 ? make("i", { text: base }, make("sub", { text: sub })) : part;
});

/** @param {Chart} chart */
function table({ table: { heads, rows }, title }) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })));
  const body = rows.map(([first, ...rest]) =>
    make("tr", {}, make("th", { scope: "row", text: first }), ...rest.map((text) => make("td", { text }))));
  const grid = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  const scroller = make("div", { class: "rows", tabindex: "0", role: "region", "aria-label": `${title}: table` }, grid);
  return make("details", {}, make("summary", { text: "The same as a table" }), scroller);
}

/** @param {Chart} chart @param {(index: number) => void} move @param {(index: number) => void} tell */
function slider({ sweep, stops }, move, tell) {
  const input = make("input", { type: "range", min: "0", max: String(stops.length - 1), step: "1", "aria-label": sweep });
  input.oninput = () => move(input.valueAsNumber);
  input.onchange = () => tell(input.valueAsNumber);
  const output = make("output", { "aria-hidden": "true" });
  output.style.minWidth = `${Math.max(...stops.map(({ label }) => label.length))}ch`;
  return make("label", { class: "sweep" }, make("span", { text: sweep }), input, output);
}

/** A question with its options. Right, or asked for, and `tell` lets the chart be seen. @param {Chart} chart */
function ask({ question }, tell) {
  const said = make("p", { class: "said", role: "status" });
  const choose = (text, isRight) => button(text, () => {
    setText(said, isRight ? question.right : question.wrong);
    if (isRight) tell(question.right);
  });
  const give = button("Show me", () => tell(""), { class: "quiet" });
  const options = question.options.map(([text, isRight]) => choose(text, isRight));
  return make("div", { class: "ask" }, make("p", { class: "title" }, ...typeset(question.title)),
    make("p", { class: "hint", text: "Before you look: choose." }),
    make("div", { class: "options" }, ...options, give), said);
}

/** @param {Chart} chart @param {{at: (index: number) => void, told: () => void}} tell */
function build(chart, tell) {
  const plot = make("div", { class: "plot", role: "img", "aria-label": chart.alt });
  // The style gives the plot a colour that fades for a moment: its end tells that the theme has changed.
  plot.ontransitionend = ({ target }) => target === plot && show(figure.at);
  const says = make("p", { class: "says" });
  const answer = make("p", { class: "answer", role: "status" });
  const parts = make("div", { class: "told" }, answer, plot, says);
  const root = make("figure", { class: "chart" }, make("figcaption", { text: chart.title }), parts);
  const figure = { chart, root, at: 0, isTold: false, show, open };
  const question = chart.question && ask(chart, (right) => {
    answer.textContent = right;
    tell.told();
    root.querySelector("input, summary")?.focus({ preventScroll: true });
  });
  if (question) root.append(question);
  if (chart.sweep) parts.append(slider(chart, show, tell.at));
  if (chart.lines.length) parts.append(make("ol", { class: "lines" }, ...chart.lines.map((text) => make("li", {}, ...typeset(text)))));
  const notes = chart.notes.filter(Boolean);
  if (notes.length) parts.append(make("p", { class: "notes" }, ...typeset(notes.join(" "))));
  parts.append(table(chart));
  parts.hidden = true;
  root.hidden = !question;
  setAttribute(root, "data-asked", question && "open");

  /** Lets the chart be seen. */
  function open() {
    if (figure.isTold) return;
    figure.isTold = true;
    parts.hidden = root.hidden = false;
    setAttribute(root, "data-asked", "told");
    question?.remove();
    show(figure.at);
  }

  /** Leaves room for the longest sentence, so that the slider stays where it is while it is moved. */
  function leaveRoom() {
    figure.width = root.clientWidth;
    says.style.minHeight = "";
    says.textContent = chart.stops.reduce((long, { says: text }) => (text.length > long.length ? text : long), "");
    says.style.minHeight = `${says.clientHeight}px`;
  }

  /** Shows one stop of the sweep. */
  function show(at) {
    figure.at = at;
    if (!figure.isTold) return;
    const stop = chart.stops[at];
    if (chart.sweep && root.clientWidth !== figure.width) leaveRoom();
    says.textContent = stop.says;
    draw(plot, chart, stop);
    if (!chart.sweep) return;
    const input = root.querySelector("input");
    if (input.valueAsNumber !== at) input.valueAsNumber = at;
    input.setAttribute("aria-valuetext", `${stop.label}. ${stop.says}`);
    root.querySelector("output").textContent = stop.label;
    root.querySelectorAll("tbody tr").forEach((row, i) => setAttribute(row, "aria-current", i === at && "true"));
  }
  return figure;
}

/** Builds the figures of a place. @param {HTMLElement} parent @param {string} text */
function fill(parent, text) {
  const place = { text, at: null, figures: [] };
  const view = () => {
    const swept = place.figures.find(({ chart }) => chart.sweep);
    return { at: swept?.at ?? 0, told: place.figures.some(({ chart, isTold }) => chart.question && isTold) };
  };
  const open = () => place.figures.forEach((figure) => figure.open());
  const tell = {
    at: () => place.say(view()),
    told: () => {
      open();
      place.say(view());
    },
  };
  place.figures = JSON.parse(text).map((chart) => build(chart, tell));
  parent.querySelectorAll(":scope > figure.chart").forEach((old) => old.remove());
  parent.append(...place.figures.map(({ root }) => root));
  if (!place.figures.some(({ chart }) => chart.question)) open();
  place.watch = new ResizeObserver(() => place.figures.forEach((figure) => figure.show(figure.at)));
  place.watch.observe(parent);
  return place;
}

/** @param {{data: {charts: {at: number, told: boolean, text?: string}}, parentElement: HTMLElement, setStateValue: Function, setTriggerValue: Function}} component */
export default function mount({ data, parentElement, setStateValue, setTriggerValue }) {
  const { at, told, text } = data.charts;
  let place = shown.get(parentElement);
  if (!place && !text) {
    setTriggerValue("resend", true);
    return () => {};
  }
  if (!place || (text && text !== place.text)) {
    place?.watch.disconnect();
    place = fill(parentElement, text);
    shown.set(parentElement, place);
  }
  // With the time: a stop of the same number as before is news where the stops have changed.
  place.say = (view) => setStateValue("view", { ...view, when: Date.now() });
  for (const figure of place.figures) {
    if (told) figure.open();
    // An answer that comes late must not pull the slider back: only what the link newly says counts.
    figure.show(figure.chart.sweep && at !== place.at ? at : figure.at);
  }
  place.at = at;
  return () => {};
}
