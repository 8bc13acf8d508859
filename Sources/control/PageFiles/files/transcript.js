// Saves the journal: as a transcript, or as lines of JSON.

import { el } from "./dom.js";
import { ProblemNote } from "./problem-note.js";

const PAGE = 2000;

export function saveMenu(device) {
  const problem = new ProblemNote();
  const button = (id, label, save) => {
    const element = el("button", { type: "button", class: "small", data: { save: id } }, label);
    element.addEventListener("click", async () => {
      element.disabled = true;
      await problem.watch(save(device));
      element.disabled = false;
    });
    return element;
  };
  const summary = el("summary", { class: "small" }, "Save");
  const menu = el(
    "details", { class: "menu" }, summary,
    el(
      "div",
      { class: "menu-body" },
      button("transcript", "As a transcript", saveTranscript),
      button("json", "As lines of JSON", saveLines),
      problem.element,
    ),
  );
  menu.addEventListener("focusout", (event) => {
    if (!menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    summary.focus();
  });
  return menu;
}

async function saveTranscript(device) {
  const { head, events } = await wholeJournal(device, "transcript");
  const lines = events.filter((text) => text !== "");
  save(`${device.name}.transcript`, `${[head, ...lines].join("\n")}\n`, "text/plain");
}

async function saveLines(device) {
  const { events } = await wholeJournal(device, "json");
  save(`${device.name}.jsonl`, `${events.map((event) => JSON.stringify(event)).join("\n")}\n`, "application/x-ndjson");
}

/** All events that the device has when this begins; `head`: the beginning of the transcript. */
async function wholeJournal(device, format) {
  const events = [];
  let [head, end] = ["", undefined];
  let after = 0;
  for (;;) {
    const answer = await device.call("journal", { after, most: PAGE, format });
    if (end === undefined) [head, end] = [answer.head ?? "", answer.last];
    events.push(...answer.events);
    if (answer.events.length === 0 || answer.after >= end) return { head, events };
    after = answer.after;
  }
}

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
