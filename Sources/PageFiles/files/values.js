// Live values: settings, variables, the state, watched expressions, and what the characteristics have.

import { el, keepChildren } from "./dom.js";
import { panel, isSeen } from "./panel.js";
import { ValueRow } from "./value-row.js";
import { ProblemNote } from "./problem-note.js";
import { characteristicName } from "./assigned-names.js";
import { onceAFrame } from "./timing.js";
import { WatchedExpressions } from "./watched.js";

export function valuesPanel(device, signal) {
  const values = new ValueList(device);
  device.addEventListener("description", () => values.order(), { signal });
  device.addEventListener("values", () => values.take(), { signal });
  device.addEventListener("restarted", () => values.forget(), { signal });
  const form = watchForm(values.watched, device, () => values.order());
  return { element: panel("values", "Values", values.element, form), update: values.draw };
}

class ValueList {
  element = el("div", { class: "values", role: "list" });
  watched;
  #device;
  #rows = new Map();
  #known = new Map();
  draw = onceAFrame(() => {
    if (isSeen(this.element)) this.#rows.forEach((row) => row.draw());
  });

  constructor(device) {
    this.#device = device;
    this.watched = new WatchedExpressions(device);
  }

  /** Makes the rows those of the values that there are. */
  order() {
    const slots = new Map(this.#slots().map((slot) => [`${slot.kind} ${slot.name}`, slot]));
    keepChildren(this.element, [...slots.keys()], (key) => this.#make(key, slots.get(key)), this.#known);
    for (const key of this.#rows.keys()) if (!this.#known.has(key)) this.#rows.delete(key);
  }

  take() {
    this.#rows.forEach((row) => row.take());
    this.draw();
  }

  forget() {
    this.#rows.forEach((row) => row.forget());
  }

  #slots() {
    const { settings, variables, states, services } = this.#device.description;
    return [
      ...settings.map((it) => ({ ...it, kind: "setting" })),
      ...variables.map((it) => ({ ...it, kind: "variable" })),
      ...(states.length > 0 ? [{ name: "state", kind: "state" }] : []),
      ...services.flatMap((service) => service.characteristics.map(slotOf)),
      ...this.watched.list.map((name) => ({ name, kind: "expression" })),
    ];
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

function slotOf({ id, uuid }) {
  return { name: id, kind: "characteristic", label: characteristicName(uuid) };
}

function watchForm(watched, device, order) {
  const problem = new ProblemNote();
  const input = el(
    "input",
    {
      type: "text",
      id: "watch-expression",
      placeholder: "battery / 100",
      autocomplete: "off",
      spellcheck: "false",
      class: "mono",
      "aria-describedby": problem.element.id,
    },
  );
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
