// The expectations of programs and people for the device, and their results.

import { el, setText, keepChildren, freshID } from "./dom.js";
import { panel, isSeen } from "./panel.js";
import { ProblemNote } from "./problem-note.js";
import { every } from "./timing.js";
import { duration } from "./format.js";
import { announce } from "./announce.js";

export function expectationsPanel(device, signal) {
  const list = el("ol", { class: "expectations", reversed: true });
  const none = el("p", { class: "faint" }, "No expectations yet.");
  const rows = new Map();
  const elements = new Map();
  const make = (number) => {
    rows.set(number, new ExpectationRow(number));
    return rows.get(number).element;
  };
  const ask = async () => {
    if (!isSeen(list.parentElement ?? list) || device.state !== "running") return;
    const { expectations } = await device.call("expectations");
    const newest = expectations.toReversed();
    keepChildren(list, newest.map((it) => it.number), make, elements);
    for (const number of rows.keys()) if (!elements.has(number)) rows.delete(number);
    for (const it of newest) rows.get(it.number).show(it);
    none.hidden = newest.length > 0;
  };
  const update = () => ask().catch(() => {});
  every(1000, signal, update);
  device.addEventListener("restarted", () => {
    rows.clear();
    keepChildren(list, [], make, elements); // its numbers restart
  }, { signal });
  return { element: panel("expectations", "Expectations", expectForm(device, update), none, list), update };
}

class ExpectationRow {
  #state = el("span", { class: "verdict" });
  #time = el("span", { class: "faint" });
  #words = el("span", { class: "faint" });
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Elapsed time" });
  #events = el("span", { class: "met-by" });
  #message = el("p", { class: "expectation-message" });
  #comparison = el("pre", { class: "comparison", tabindex: 0, "aria-label": "Comparison" });
  #lines = el("ul", { class: "expected-lines" });
  #shown;

  constructor(number) {
    this.element = el(
      "li", { class: "expectation", data: { expectation: number } },
      el(
        "div",
        { class: "expectation-head" },
        this.#state,
        this.#words,
        this.#time,
      ), this.#lines, this.#bar, this.#events, this.#message, this.#comparison,
    );
  }

  show(it) {
    setText(this.#time, `${duration(it.milliseconds)} ago`);
    this.#bar.hidden = it.state !== "waiting" || !it.within;
    if (!this.#bar.hidden) this.#bar.value = Math.min(1, it.milliseconds / it.within);
    if (it.state === this.#shown) return;
    if (this.#shown === "waiting") announce(`Expectation ${it.state}: ${it.lines.join(", ")}.`);
    this.#shown = it.state;
    this.element.dataset.state = it.state;
    setText(this.#state, it.state);
    setText(this.#words, howOften(it));
    this.#lines.replaceChildren(...it.lines.map((line) => el("li", { class: "mono" }, line)));
    this.#events.replaceChildren(...linksTo(it.events ?? []));
    setText(this.#message, it.message ?? "");
    this.#message.hidden = !it.message;
    setText(this.#comparison, it.comparison ?? "");
    this.#comparison.hidden = !it.comparison;
  }
}

/** `by event 12`, as far as there is room. */
function linksTo(events) {
  if (events.length === 0) return [];
  return ["by event ", ...events.slice(0, 20).flatMap((number) => [eventLink(number), " "])];
}

/** Shows the event in the traffic. */
function eventLink(number) {
  const button = el("button", { type: "button", class: "link", "aria-label": `Show event ${number}` }, String(number));
  button.addEventListener("click", () => document.dispatchEvent(new CustomEvent("reveal-event", { detail: number })));
  return button;
}

function howOften(it) {
  const within = it.within ? `within ${it.within < 1000 ? `${it.within} ms` : `${it.within / 1000} s`}` : "";
  return [countWords(it["at-least"], it["at-most"]), within, it.process && `process ${it.process}`]
    .filter(Boolean)
    .join(", ");
}

function countWords(least, most) {
  if (most === 0) return "never";
  if (most === undefined || most === null) return least > 1 ? `at least ${least}` : "";
  return least === most ? `exactly ${most}` : `at most ${most}`;
}

const COUNTS = [["once", "Once"], ["at-least", "At least"], ["at-most", "At most"], ["never", "Never"]];

/** A form that expects lines of the device from now on. */
function expectForm(device, update) {
  const problem = new ProblemNote();
  const inputs = expectInputs(problem);
  const form = el(
    "form",
    { class: "expect-form" },
    el("div", {}, labelled("Expect from now on, one per line", inputs.lines)),
    el(
      "div",
      { class: "row" },
      [labelled("within", inputs.within), "s", inputs.often, inputs.times],
      el("button", { class: "primary" }, "Expect"),
    ),
    problem.element,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.clear();
    const wanted = expectation(inputs);
    // The current number: the page's last answer may be a second old.
    const status = await problem.watch(device.call("status"));
    if (!status) return;
    // An expectation that is not met is in the list; the form shows only mistakes.
    const isMistake = (error) => error.comparison === undefined && !error.isLost;
    device
      .call("expect", { ...wanted, after: status.events })
      .catch((error) => isMistake(error) && problem.show(error));
    setTimeout(update, 100);
  });
  return form;
}

function expectInputs(problem) {
  const lines = el("textarea", {
    id: freshID("expect"),
    rows: 2,
    class: "mono",
    spellcheck: "false",
    placeholder: "connect\n> FFE1 41 54",
    "aria-describedby": problem.element.id,
  });
  const within = el("input", { id: freshID("expect"), type: "number", min: 0, max: 86400, step: "any", value: 10 });
  const options = COUNTS.map(([value, label]) => el("option", { value }, label));
  const often = el("select", { "aria-label": "How often" }, options);
  const times = el("input", { type: "number", min: 1, max: 1_000_000, value: 2, hidden: true, "aria-label": "Times" });
  often.addEventListener("change", () => (times.hidden = !often.value.startsWith("at-")));
  return { lines, within, often, times };
}

function labelled(text, input) {
  return [el("label", { for: input.id }, text), input];
}

/** The parameters of `expect`. */
function expectation({ lines, within, often, times }) {
  return {
    lines: lines.value.split("\n").map((line) => line.trim()).filter(Boolean),
    within: Math.round(Number(within.value) * 1000),
    ...countOf(often.value, Number(times.value)),
  };
}

function countOf(often, times) {
  if (often === "never") return { "at-most": 0 };
  return often === "once" ? {} : { [often]: times };
}
