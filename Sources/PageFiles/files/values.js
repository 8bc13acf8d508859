// Live values: settings, variables, the state, watched expressions, and what the characteristics have.

import { el, keepChildren } from "./dom.js";
import { panel, isSeen } from "./panel.js";
import { ValueRow } from "./value-row.js";
import { ProblemNote } from "./problem-note.js";
import { onceAFrame } from "./timing.js";
import { WatchedExpressions } from "./watched.js";

export function valuesPanel(device, signal) {
  const list = el("div", { class: "values", role: "list" });
  const rows = new Map();
  const watched = new WatchedExpressions(device);
  const known = new Map();
  const order = () => {
    const { settings, variables, states } = device.description;
    const slots = [
      ...settings.map((it) => ({ ...it, kind: "setting" })), ...variables.map((it) => ({ ...it, kind: "variable" })),
      ...(states.length > 0 ? [{ name: "state", kind: "state" }] : []),
      ...Object.keys(device.description.values).map((name) => ({ name, kind: "characteristic" })),
      ...watched.list.map((name) => ({ name, kind: "expression" })),
    ];
    const bySlot = new Map(slots.map((slot) => [`${slot.kind} ${slot.name}`, slot]));
    const make = (key) => {
      const row = new ValueRow(bySlot.get(key), device, () => drop(bySlot.get(key).name));
      rows.set(key, row);
      return row.element;
    };
    keepChildren(list, [...bySlot.keys()], make, known);
    for (const key of rows.keys()) if (!known.has(key)) rows.delete(key);
  };
  const drop = (name) => {
    watched.remove(name);
    order();
  };
  const draw = onceAFrame(() => {
    if (isSeen(list)) rows.forEach((row) => row.draw());
  });
  device.addEventListener("description", order, { signal });
  device.addEventListener("values", () => {
    rows.forEach((row) => row.take());
    draw();
  }, { signal });
  device.addEventListener("restarted", () => rows.forEach((row) => row.forget()), { signal });
  return { element: panel("values", "Values", list, watchForm(watched, device, order)), update: draw };
}

function watchForm(watched, device, order) {
  const problem = new ProblemNote();
  const input = el("input", { type: "text", id: "watch-expression", placeholder: "battery / 100", autocomplete: "off", spellcheck: "false", class: "mono", "aria-describedby": problem.element.id });
  const form = el("form", { class: "watch-form" }, el("label", { for: "watch-expression" }, "Watch an expression"), el("div", { class: "field-row" }, input, el("button", {}, "Watch")), problem.element);
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
