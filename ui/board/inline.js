import { make } from "./dom.js";

/** A small input inside a cell, used for answers and for edits. One is open at a time. */

/** @typedef {import("./types.js").Board} Board @typedef {import("./types.js").CellView} CellView */

/**
 * @param {Board} board @param {CellView} cell
 * @param {object} task
 * @param {string} task.label what the input is for, in words
 * @param {string} task.value what stands in it at first
 * @param {boolean} [task.keepsTyping] the value is a first typed character: leave the caret behind it
 * @param {(text: string) => boolean} task.accept takes the text; false keeps the input open
 * @param {(direction: number) => void} [task.onTab] Tab was pressed and the text was accepted
 * @param {(text: string) => void} [task.onLeave] the focus went elsewhere
 * @param {() => void} [task.onClose]
 */
export function openInline(board, cell, task) {
  if (board.inline?.el === cell.el) return;
  board.inline?.close();
  const input = make("input", {
    class: "inline", type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": task.label,
  });
  input.value = task.value;
  input.size = 1;

  let isOpen = true;
  const close = () => {
    // Removing a focused input makes it lose focus, which would close it a second time.
    if (!isOpen) return;
    isOpen = false;
    board.inline = null;
    input.remove();
    cell.el.classList.remove("typing", "refused");
    task.onClose?.();
  };
  const refuse = () => {
    input.setAttribute("aria-invalid", "true");
    input.select();
    cell.el.classList.remove("refused");
    // Reading a size lets the browser notice the removal, so that the shake starts anew.
    void cell.el.offsetWidth;
    cell.el.classList.add("refused");
  };
  const finish = () => {
    const accepted = task.accept(input.value);
    if (accepted) close();
    else refuse();
    return accepted;
  };

  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") {
      close();
      cell.el.focus();
    } else if (event.key === "Enter") {
      if (finish()) cell.el.focus();
    } else if (event.key === "Tab" && task.onTab) {
      event.preventDefault();
      if (finish()) task.onTab(event.shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
  };
  input.onclick = (event) => event.stopPropagation();
  input.onblur = () => {
    if (!isOpen) return;
    if (task.onLeave) task.onLeave(input.value);
    else close();
  };

  cell.el.classList.add("typing");
  cell.el.append(input);
  board.inline = { close, el: cell.el };
  input.focus();
  if (!task.keepsTyping) input.select();
}
