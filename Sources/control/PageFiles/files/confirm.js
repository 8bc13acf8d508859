// Asks before something that cannot be undone.

import { el } from "./dom.js";

/** @returns {Promise<boolean>} whether the person agrees. */
export function confirm(question, explanation, word) {
  const dialog = el(
    "dialog", { "aria-label": question, data: { confirm: "" } },
    el("h2", {}, question), el("p", {}, explanation),
    el(
      "form",
      { method: "dialog", class: "row" },
      el("button", { value: "no", autofocus: true }, "Cancel"),
      el("button", { value: "yes", class: "danger" }, word),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
