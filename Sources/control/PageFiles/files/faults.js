// Faults as switches: those that the device has, those that its definition has, and those that were switched off here.

import { el, setText, keepChildren } from "./dom.js";
import { panel } from "./panel.js";
import { characteristicsWith } from "./characteristics.js";
import { ProblemNote, wordInput } from "./problem-note.js";
import { count } from "./format.js";

/** The words of faults that were switched off, by device, as long as the page lives. */
const remembered = new Map();
const MOST = 40;
/** The service with the name of the device, which faults leave alone. */
const GENERIC_ACCESS = "1800";

/** Suggestions. A place in braces stands for an attribute of the device. */
const SUGGESTIONS = [
  "drop out on {out} every 3rd",
  "delay 200ms jitter 50ms out on {out}",
  "corrupt 1 bit out on {out} 10%",
  "duplicate out on {out} 20%",
  "truncate to 5 bytes out on {out}",
  "throttle to 100 bytes/s",
  "stall 5s once",
  "drop in on {in} 10%",
  "refuse write-not-permitted on {in} 3 times",
  "answer 2s late",
  "refuse request-not-supported on mtu",
  "answer 3s late on discovery",
  "fail pairing confirm-value-failed once",
  "ignore parameters",
  "disconnect after 30s",
  "lose link after 30s",
  "reboot every 1min",
  "refuse connections",
  "stop advertising for 10s every 1min",
  "garble advertisement",
  "vanish once",
  "fade to -80 dBm",
  "lose 30% of packets",
  "leave range for 10s",
];

export function faultsPanel(device, signal) {
  const faults = new FaultList(device);
  device.addEventListener("faults", () => faults.show(), { signal });
  device.addEventListener("description", () => faults.show(), { signal });
  return { element: panel("faults", "Faults", faults.elements, addForm(device, signal)) };
}

class FaultList {
  #device;
  #problem = new ProblemNote();
  #list = el("ul", { class: "faults" });
  #none = el("p", { class: "faint" }, "No faults.");
  #rows = new Map();
  #known = new Map();
  /** All texts in the order in which they came, so that a row stays where it is. */
  #order = [];
  #off;

  constructor(device) {
    this.#device = device;
    this.#off = remembered.get(device.name) ?? [];
    remembered.set(device.name, this.#off);
  }

  get elements() {
    return [this.#none, this.#list, this.#problem.element];
  }

  show() {
    const active = new Map(this.#device.faults.map((fault) => [fault.fault, fault]));
    const own = this.#device.description?.faults ?? [];
    const present = new Set([...own, ...active.keys(), ...this.#off]);
    this.#order = [...new Set([...this.#order, ...present])].filter((text) => present.has(text));
    keepChildren(this.#list, this.#order, (text) => this.#make(text), this.#known);
    for (const text of this.#rows.keys()) if (!this.#known.has(text)) this.#rows.delete(text);
    this.#rows.forEach((row, text) => row.show(active.get(text), own.includes(text)));
    this.#none.hidden = this.#order.length > 0;
  }

  #make(text) {
    const turn = (isOn) => (isOn ? this.#turnOff(text) : this.#ask({ add: text }));
    const row = faultRow(text, { turn, forget: () => this.#forget(text) });
    this.#rows.set(text, row);
    return row.element;
  }

  /** Removes it, even if the device has it several times. */
  #turnOff(text) {
    if (!this.#off.includes(text)) this.#off.push(text);
    this.#off.splice(0, Math.max(0, this.#off.length - MOST));
    const same = this.#device.faults.filter((it) => it.fault === text);
    return Promise.all(same.map(({ number }) => this.#ask({ remove: number })));
  }

  #forget(text) {
    this.#off.splice(this.#off.indexOf(text), 1);
    this.show();
  }

  #ask(params) {
    return this.#problem.watch(this.#device.call("faults", params));
  }
}

/** A fault with its switch and its counts. */
function faultRow(text, { turn, forget }) {
  let isOn = false;
  const button = el(
    "button",
    { type: "button", role: "switch", "aria-checked": "false", class: "toggle wide", data: { fault: text } },
    el("span", { class: "fault-text mono" }, text),
    el("span", { class: "knob", "aria-hidden": "true" }),
  );
  button.addEventListener("click", () => turn(isOn));
  const counts = el("span", { class: "fault-counts faint" });
  const drop = el("button", { type: "button", class: "small quiet", "aria-label": `Forget ${text}` }, "×");
  drop.addEventListener("click", forget);
  const show = (present, isOwn) => {
    isOn = present !== undefined;
    button.setAttribute("aria-checked", String(isOn));
    drop.hidden = isOn || isOwn;
    setText(counts, present ? struckWords(present) : isOwn ? "of the definition, off" : "off");
  };
  return { element: el("li", { class: "fault" }, button, el("div", { class: "fault-line" }, counts, drop)), show };
}

function struckWords({ number, struck, seen, spent }) {
  return `${number}: struck ${struck} of ${count(seen, "value")}${spent ? ", spent" : ""}`;
}

function addForm(device, signal) {
  const problem = new ProblemNote();
  const words = el("datalist", { id: "fault-suggestions" });
  const attributes = { id: "fault-words", list: "fault-suggestions", placeholder: "drop every 3rd" };
  const input = wordInput(problem, attributes);
  const form = el(
    "form",
    { class: "add-fault" },
    el("label", { for: "fault-words" }, "Add a fault"),
    el("div", { class: "field-row" }, input, words, el("button", { class: "primary" }, "Add")),
    problem.element,
    suggestions(device, signal, words, input),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if ((await problem.watch(device.call("faults", { add: input.value }))) !== undefined) input.value = "";
  });
  return form;
}

/** Words to click on, with the names of this device's attributes. */
function suggestions(device, signal, words, input) {
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Suggestions" });
  const known = new Map();
  const make = (text) => {
    const chip = el("button", { type: "button", class: "chip mono", data: { suggestion: text } }, text);
    chip.addEventListener("click", () => {
      input.value = text;
      input.focus();
    });
    return chip;
  };
  device.addEventListener("description", () => {
    const texts = suggestionsFor(device.description);
    keepChildren(chips, texts, make, known);
    if (words.children.length !== texts.length) words.replaceChildren(...texts.map((value) => el("option", { value })));
  }, { signal });
  return chips;
}

function suggestionsFor(description) {
  const services = description.services.filter(({ uuid }) => uuid !== GENERIC_ACCESS);
  const [out] = characteristicsWith(services, "notify", "indicate");
  const [into] = characteristicsWith(services, "write", "write-without-response");
  const places = { out, in: into };
  const isPossible = (text) => Object.keys(places).every((key) => places[key] || !text.includes(`{${key}}`));
  return SUGGESTIONS.filter(isPossible).map((text) => text.replace(/\{(\w+)\}/, (_, key) => places[key]));
}
