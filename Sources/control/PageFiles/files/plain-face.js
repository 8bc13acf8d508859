// The face of a device whose definition has none: its name, the two most informative values, and what is connected.

import { svg, setText } from "./dom.js";
import { count, valueText } from "./format.js";

const LONGEST = 16;

export class PlainFace {
  expressions = [];
  onpress = () => {};
  #names;
  #texts;
  #lamp = svg("circle", { cx: 20, cy: 24, r: 4, class: "plain-lamp" });
  #connection = svg("text", { x: 120, y: 137, class: "plain-connection", "text-anchor": "middle" });

  constructor(description) {
    this.#names = PlainFace.telling(description);
    const labels = new Map(description.controls.filter((it) => it.set).map((it) => [it.set, it.label]));
    this.#texts = this.#names.map((_, index) => value(this.#names.length, index));
    this.element = svg(
      "svg", { viewBox: "0 0 240 150", role: "img", "aria-label": description.definition, class: "plain-face" },
      svg("rect", { x: 1, y: 1, width: 238, height: 148, rx: 14, class: "plain-body" }),
      this.#lamp,
      svg("text", { x: 32, y: 29, class: "plain-name" }, short(description.definition, 24)),
      this.#texts,
      this.#names.map((name, index) => label(this.#names.length, index, labels.get(name) ?? name)),
      this.#connection,
    );
    if (this.#names.length === 0) this.#connection.setAttribute("y", 92);
  }

  update(values, centrals) {
    const [first] = centrals;
    const words = centrals.length === 1 ? `${first} is connected` : `${count(centrals.length, "central")} connected`;
    setText(this.#connection, first === undefined ? "no central is connected" : words);
    this.#lamp.dataset.lamp = first === undefined ? "off" : "on";
    const width = this.#names.length > 1 ? 100 : 210;
    this.#names.forEach((name, index) => fit(this.#texts[index], short(valueText(values[name]), LONGEST), width));
  }

  /** The most interesting values: those that controls set, then numbers that change, then the state. */
  static telling(description) {
    const slots = [...description.settings, ...description.variables];
    const isOfControl = (slot) => description.controls.some((control) => control.set === slot.name);
    const isNumber = (slot) => slot.type === "integer" || slot.type === "decimal";
    const ranked = [
      ...slots.filter((slot) => isOfControl(slot) && isNumber(slot)),
      ...slots.filter((slot) => isOfControl(slot) && !isNumber(slot)),
      ...description.variables.filter(isNumber),
      ...description.settings.filter(isNumber),
    ].map((slot) => slot.name);
    const names = [...new Set(ranked)];
    if (names.length < 2 && description.state) names.push("state");
    return names.slice(0, 2);
  }
}

function place(count, index) {
  return count === 1 ? 120 : 66 + 108 * index;
}

function value(count, index) {
  return svg("text", { x: place(count, index), y: 84, class: "plain-value", "text-anchor": "middle" }, "–");
}

function label(count, index, text) {
  return svg(
    "text",
    { x: place(count, index), y: 109, class: "plain-label", "text-anchor": "middle" },
    short(text, LONGEST),
  );
}

/** Sets a text in a size in which it is no wider than this. */
function fit(element, text, width) {
  setText(element, text);
  element.style.fontSize = `${Math.min(34, width / (0.64 * Math.max(1, text.length)))}px`;
}

function short(text, longest) {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
