// Plays the central of a device in memory: a line at a time, in the words of transcripts.

import { el, keepChildren } from "./dom.js";
import { characteristicsWith } from "./characteristics.js";
import { ProblemNote, wordInput } from "./problem-note.js";

export function centralForm(device, signal) {
  const problem = new ProblemNote();
  const output = el("output", { class: "mono central-answer", for: "central-line" });
  const input = wordInput(problem, { id: "central-line", placeholder: "read FFE1" });
  const act = async (line) => {
    output.textContent = "";
    const answer = await problem.watch(device.call("act", { line }));
    if (answer) output.textContent = [line, answer.response, answer.value, answer.error].filter(Boolean).join("  ");
    return answer;
  };
  const form = el(
    "form",
    { class: "central-form", hidden: true, data: { central: "" } },
    el("h3", {}, "Play the central"),
    el("p", { class: "faint" }, "The device is in memory: no real central can reach it."),
    quickLines(device, signal, act, input),
    el("label", { for: "central-line" }, "Action of the central"),
    el("div", { class: "field-row" }, input, el("button", {}, "Do")),
    output,
    problem.element,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (input.value.trim() !== "" && (await act(input.value))) input.select();
  });
  device.addEventListener("description", () => (form.hidden = device.description.transport !== "loopback"), { signal });
  return form;
}

/** Lines to click on: they run at once, or begin in the input. */
function quickLines(device, signal, act, input) {
  const place = el("div", { class: "chips", role: "group", "aria-label": "Lines" });
  const known = new Map();
  const make = (line) => {
    const chip = el("button", { type: "button", class: "chip mono", data: { line } }, line);
    chip.addEventListener("click", () => {
      if (!line.startsWith(">")) return void act(line);
      input.value = `${line} `;
      input.focus();
    });
    return chip;
  };
  device.addEventListener(
    "description",
    () => keepChildren(place, linesFor(device.description), make, known),
    { signal },
  );
  return place;
}

function linesFor(description) {
  const lines = (start, ...properties) =>
    characteristicsWith(description.services, ...properties).map((id) => `${start} ${id}`);
  const link = description.centrals.length > 0 ? "disconnect" : "connect";
  return [
    ...new Set([
      link,
      ...lines("subscribe", "notify", "indicate"),
      ...lines("read", "read"),
      ...lines(">", "write", "write-without-response"),
    ]),
  ];
}
