// Live values: settings, variables, the state, watched expressions, numbers in messages, and the values of characteristics.

import { el, keepChildren } from "./dom.js";
import { panel, isSeen } from "./panel.js";
import { ValueRow } from "./value-row.js";
import { ProblemNote, wordInput } from "./problem-note.js";
import { characteristicName } from "./assigned-names.js";
import { MessageFields } from "./message-fields.js";
import { onceAFrame } from "./timing.js";
import { WatchedExpressions } from "./watched.js";

export function valuesPanel(device, signal) {
  const values = new ValueList(device);
  device.addEventListener("description", () => values.order(), { signal });
  device.addEventListener("values", () => values.take(), { signal });
  device.addEventListener("events", ({ detail }) => values.takeMessages(detail.events), { signal });
  device.addEventListener("restarted", () => values.forget(), { signal });
  const form = watchForm(values.watched, device, () => values.order());
  return { element: panel("values", "Values", values.element, form), update: values.draw };
}

class ValueList {
  element = el("div", { class: "values" });
  watched;
  #device;
  #fields = new MessageFields();
  #rows = new Map();
  #known = new Map();
  draw = onceAFrame(() => {
    if (isSeen(this.element)) this.#rows.forEach((row) => row.draw());
  });

  constructor(device) {
    this.#device = device;
    this.watched = new WatchedExpressions(device);
  }

  /** Shows a row for each present value, under the titles of their groups. */
  order() {
    const makers = new Map();
    for (const [title, slots] of this.#groups()) {
      if (slots.length > 0) makers.set(title, () => el("h3", { class: "value-group" }, title));
      for (const slot of slots) makers.set(`${slot.kind} ${slot.name}`, (key) => this.#make(key, slot));
    }
    keepChildren(this.element, [...makers.keys()], (key) => makers.get(key)(key), this.#known);
    for (const key of this.#rows.keys()) if (!this.#known.has(key)) this.#rows.delete(key);
  }

  take() {
    this.#rows.forEach((row) => row.take());
    this.draw();
  }

  takeMessages(events) {
    if (this.#fields.take(events) && this.#device.description) this.order();
  }

  forget() {
    this.#fields = new MessageFields();
    this.#rows.forEach((row) => row.forget());
  }

  #groups() {
    const { settings, variables, states, services } = this.#device.description;
    const present = (it, kind) => ({ ...it, kind, read: () => this.#device.values[it.name] });
    const characteristics = services.flatMap((service) => service.characteristics);
    return [
      ["Expressions", this.watched.list.map((name) => present({ name }, "expression"))],
      ["State", states.length > 0 ? [present({ name: "state" }, "state")] : []],
      ["Settings", settings.map((it) => present(it, "setting"))],
      ["Variables", variables.map((it) => present(it, "variable"))],
      ["Numbers in messages", [...this.#fields.values.keys()].map((name) => this.#fieldSlot(name))],
      ["Characteristics", characteristics.map((it) => this.#characteristicSlot(it))],
    ];
  }

  #fieldSlot(name) {
    return { name, kind: "field", read: () => this.#fields.values.get(name) };
  }

  #characteristicSlot({ id, uuid }) {
    const read = () => this.#device.description.values[id];
    return { name: id, kind: "characteristic", label: characteristicName(uuid), read };
  }

  #make(key, slot) {
    const row = new ValueRow(slot, this.#device, () => {
      this.watched.remove(slot.name);
      this.order();
    });
    this.#rows.set(key, row);
    return row.element;
  }
}

function watchForm(watched, device, order) {
  const problem = new ProblemNote();
  const input = wordInput(problem, { id: "watch-expression", placeholder: "battery / 100" });
  const form = el(
    "form",
    { class: "watch-form" },
    el("label", { for: "watch-expression" }, "Watch an expression"),
    el("div", { class: "field-row" }, input, el("button", {}, "Watch")),
    problem.element,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === "" || (await problem.watch(device.call("get", { names: [text] }))) === undefined) return;
    watched.add(text);
    input.value = "";
    order();
  });
  return form;
}
