import { make } from "./dom.js";
import { isToggle, maskText } from "./mask.js";
import { parseRef } from "./refs.js";
import { say } from "./speech.js";

/** Copying, also where the browser offers no clipboard (plain http in a classroom), and the link to this screen. */

/** @typedef {import("./types.js").Board} Board */

const SHOWN_FOR = 1600;

/** The old way, for pages without a secure context. @returns {boolean} */
function copyBySelection(board, text) {
  const area = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true", tabindex: "-1" });
  area.value = text;
  board.root.append(area);
  area.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    isCopied = false;
  }
  area.remove();
  return isCopied;
}

async function copied(board, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(board, text);
  }
}

/** Puts text on the clipboard and says so beside the buttons; else offers the text, selected. @param {Board} board */
export async function copyText(board, text, what, from) {
  const note = from.parentElement.querySelector(".copied");
  const field = from.parentElement.querySelector(".copy-field");
  const isCopied = await copied(board, text);
  field.hidden = isCopied;
  if (!isCopied) {
    field.value = text;
    field.select();
    say(board, `Could not copy by itself. The ${what} is selected: press Ctrl+C.`);
    return;
  }
  from.focus();
  note.textContent = "copied";
  setTimeout(() => { note.textContent = ""; }, SHOWN_FOR);
  say(board, `Copied the ${what}`);
}

/** Where copyText writes; stands beside the buttons that use it. */
export function copyNotes() {
  const field = make("input", { class: "copy-field", readonly: true, "aria-label": "Text to copy" });
  field.hidden = true;
  return [make("span", { class: "copied", "aria-hidden": "true" }), field];
}

/** Revealed cells as they stand in a link: a matrix or a row of which all is revealed as a whole. */
function revealed(board) {
  const seen = new Set(board.view.seen);
  const isSeen = (key, cells, row) => cells[row].every((_, col) => seen.has(`${key}:${row},${col}`));
  const parts = board.view.seen.map((ref) => {
    const { matrix, row } = parseRef(ref);
    const { cells } = board.heavy.matrices[matrix];
    if (!isSeen(matrix, cells, row)) return ref;
    return cells.every((_, at) => isSeen(matrix, cells, at)) ? matrix : `${matrix}:${row}`;
  });
  return [...new Set(parts)].join(";");
}

/** The address that shows this screen again, the viewer's state included. @param {Board} board @returns {string} */
export function screenLink(board) {
  const { cell, step, open, edit } = board.view;
  const url = new URL(board.heavy.link || "?", location.href);
  const set = (name, value) => value && url.searchParams.set(name, value);
  // A page may pin a cell of its own accord: that nothing is pinned must be said too.
  set("cell", cell ?? "none");
  set("seen", revealed(board));
  set("step", step === null ? null : String(step));
  set("open", open && "1");
  set("edit", edit && "1");
  // What Python has not taken up yet.
  const edits = new Map((url.searchParams.get("edits") ?? "").split(";").filter(Boolean).map((edit_) => edit_.split("=")));
  board.pending.forEach((number, ref) => {
    if (!isToggle(board, ref)) edits.set(ref, number);
    else {
      set("mask", "custom");
      set("allow", maskText(board, parseRef(ref).matrix));
    }
  });
  set("edits", [...edits].map((pair) => pair.join("=")).join(";"));
  url.hash = "";
  return url.href;
}
