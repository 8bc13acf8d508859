// The keys of the page. Views listen for the events that they cause.

import { el } from "./dom.js";

const KEYS = [
  ["/", "search the traffic"],
  ["p", "pause or resume the traffic"],
  ["1 – 7", "the tabs of a device"],
  ["v", "the presenter's view"],
  ["f", "full screen, in the presenter's view"],
  ["w", "what centrals write, in the presenter's view"],
  ["s", "the line below the face, in the presenter's view"],
  ["← →", "the previous and the next device, in the presenter's view"],
  ["Esc", "back"],
  ["?", "these keys"],
];

/** Turns keys into events `page-key` of the document, except while a person types. */
export function installKeys(helpButton) {
  const help = helpDialog();
  document.body.append(help);
  helpButton.addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    if (isForOthers(event)) return;
    if (event.key === "?") help.showModal();
    else if (!tell(event.key)) event.preventDefault();
  });
}

/** Whether a key belongs to the browser, to a dialog, or to an input. */
function isForOthers(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  return isTyping(event.target);
}

/** @returns whether no view has taken the key. */
function tell(key) {
  return document.dispatchEvent(new CustomEvent("page-key", { detail: key, cancelable: true }));
}

function isTyping(target) {
  return target.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select") !== null;
}

/**
 * Listens for keys.
 * @param {object} actions functions by key
 */
export function onKeys(actions, signal) {
  document.addEventListener(
    "page-key",
    (event) => {
      const action = actions[event.detail];
      if (!action) return;
      event.preventDefault();
      action();
    },
    { signal },
  );
}

function helpDialog() {
  const rows = KEYS.map(([key, meaning]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, meaning)));
  return el(
    "dialog", { id: "help", "aria-labelledby": "help-title" },
    el("h2", { id: "help-title" }, "Keys"), el("dl", { class: "keys" }, rows),
    el("form", { method: "dialog" }, el("button", { class: "primary", autofocus: true }, "Close")),
  );
}
