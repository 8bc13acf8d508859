// The common parts of a device's panels.

import { el } from "./dom.js";

/** A panel with a heading. */
export function panel(id, title, ...children) {
  return el(
    "section",
    { class: `panel ${id}-panel`, id: `panel-${id}`, "aria-labelledby": `title-${id}` },
    el("h2", { id: `title-${id}` }, title),
    children,
  );
}

/** Whether anybody can see an element. */
export function isSeen(element) {
  return !document.hidden && element.offsetParent !== null;
}
