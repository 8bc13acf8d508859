// The controls of the definition, as a person operates them at the real device.

import { el, freshID, keepChildren } from "./dom.js";
import { panel } from "./panel.js";
import { ProblemNote, wordInput } from "./problem-note.js";
import { valueText } from "./format.js";

export function controlsPanel(device, signal) {
  const list = el("div", { class: "controls" });
  const element = panel("controls", "Controls", list);
  const known = new Map();
  const built = new Map();
  const build = (key) => {
    const control = JSON.parse(key);
    const it = new (kindOf(control))(control, device);
    built.set(key, it);
    return it.element;
  };
  const update = () => {
    keepChildren(list, device.description.controls.map((control) => JSON.stringify(control)), build, known);
    for (const key of built.keys()) if (!known.has(key)) built.delete(key);
    element.hidden = known.size === 0;
    show();
  };
  const show = () => built.forEach((it) => it.show(device.values));
  device.addEventListener("description", update, { signal });
  device.addEventListener("values", show, { signal });
  return { element };
}

/** For this long after a value was set, answers may still have older values; milliseconds. */
const SETTLING = 300;

/** The common parts of all controls: a name, a place for errors, and one request at a time. */
class Control {
  problem = new ProblemNote();
  #isAsking = false;
  #settled = 0;
  #next;

  constructor(control, device) {
    this.control = control;
    this.device = device;
    this.id = freshID("control");
  }

  build(...parts) {
    return el(
      "div",
      { class: `control control-${this.control.kind}`, data: { control: this.control.name } },
      parts,
      this.problem.element,
    );
  }

  label() {
    return el("label", { for: this.id }, this.control.label);
  }

  /** Operates it. While a request runs, only the last value waits for the next. */
  async press(value) {
    this.#next = { value };
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#next) {
      const params = {
        control: this.control.name,
        ...(this.#next.value === undefined ? {} : { value: this.#next.value }),
      };
      this.#next = undefined;
      this.succeeded = (await this.problem.watch(this.device.call("press", params))) !== undefined;
    }
    this.#isAsking = false;
    if (this.succeeded) this.#settled = performance.now() + SETTLING;
  }

  /** Whether a value from the device may be older than the one that has just been set. */
  get isAsking() {
    return this.#isAsking || performance.now() < this.#settled;
  }

  show() {}
}

class Button extends Control {
  constructor(...all) {
    super(...all);
    const button = el("button", { type: "button", class: "press", id: this.id }, this.control.label);
    button.addEventListener("click", () => this.press());
    this.element = this.build(button);
  }
}

class Switch extends Control {
  constructor(...all) {
    super(...all);
    this.button = el(
      "button",
      { type: "button", role: "switch", "aria-checked": "false", class: "toggle wide", id: this.id },
      el("span", {}, this.control.label),
      el("span", { class: "knob", "aria-hidden": "true" }),
    );
    this.button.addEventListener("click", () => this.press(this.button.getAttribute("aria-checked") !== "true"));
    this.element = this.build(this.button);
  }

  show(values) {
    this.button.setAttribute("aria-checked", String(values[this.control.set] === true));
  }
}

class Slider extends Control {
  constructor(...all) {
    super(...all);
    const { min, max, type } = this.control;
    const step = type === "decimal" ? (Number(max) - Number(min)) / 1000 : 1;
    const limits = { min, max, step: type === "decimal" ? "any" : 1 };
    this.range = el("input", { type: "range", id: this.id, min, max, step });
    this.exact = el(
      "input",
      { type: "number", class: "exact", "aria-label": `${this.control.label}, exact value`, ...limits },
    );
    this.range.addEventListener("input", () => this.#set(this.range.value));
    this.exact.addEventListener("change", () => this.#set(this.exact.value));
    this.element = this.build(
      el("div", { class: "slider-head" }, this.label(), this.exact), this.range,
      el("div", { class: "limits", "aria-hidden": "true" }, el("span", {}, min), el("span", {}, max)),
    );
  }

  #set(text) {
    if (text === "") return;
    const number = Number(text);
    this.#draw(number);
    this.press(Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number);
  }

  show(values) {
    const value = values[this.control.set];
    if (value !== undefined && !this.isAsking) this.#draw(Number(value));
  }

  #draw(value) {
    const { min, max } = this.control;
    this.range.value = value;
    this.range.style.setProperty("--filled", `${(100 * (value - min)) / (max - min || 1)}%`);
    if (document.activeElement !== this.exact) this.exact.value = Number(value.toFixed(6));
  }
}

class Choice extends Control {
  constructor(...all) {
    super(...all);
    this.select = el(
      "select",
      { id: this.id },
      this.control["one-of"].map((word) => el("option", { value: word }, word)),
    );
    this.select.addEventListener("change", () => this.press(this.select.value));
    this.element = this.build(this.label(), this.select);
  }

  show(values) {
    if (this.isAsking || document.activeElement === this.select) return;
    this.select.value = valueText(values[this.control.set]);
  }
}

class Field extends Control {
  constructor(...all) {
    super(...all);
    const { min, max, type } = this.control;
    this.input = wordInput(this.problem, { id: this.id, class: type === "bytes" ? "mono" : "" });
    this.note = el("span", { class: "faint" }, limitWords({ type, min, max }));
    const form = el("form", { class: "field-row" }, this.input, el("button", {}, "Set"));
    form.addEventListener("submit", (event) => this.#submit(event));
    this.input.addEventListener("input", () => (this.isEdited = true));
    this.element = this.build(el("div", { class: "slider-head" }, this.label(), this.note), form);
  }

  async #submit(event) {
    event.preventDefault();
    await this.press(this.input.value);
    if (this.succeeded) this.isEdited = false;
  }

  show(values) {
    if (this.isEdited || document.activeElement === this.input) return;
    this.input.value = valueText(values[this.control.set] ?? "");
  }
}

/** `integer, 0 to 250`, `text, at most 20 bytes`. */
export function limitWords({ type, min, max }) {
  if (min !== undefined && max !== undefined) return `${type}, ${min} to ${max}`;
  if (type === "text" || type === "bytes") return max ? `${type}, at most ${max} bytes` : type;
  if (min !== undefined) return `${type}, from ${min}`;
  return max === undefined ? type : `${type}, up to ${max}`;
}

/** A choice of few short words: all of them are visible. */
class Segments extends Control {
  constructor(...all) {
    super(...all);
    this.inputs = this.control["one-of"].map((word) => el("input", { type: "radio", name: this.id, value: word }));
    for (const input of this.inputs) input.addEventListener("change", () => this.press(input.value));
    const segment = (input) => el("label", { class: "segment" }, input, el("span", {}, input.value));
    this.element = this.build(
      el(
        "fieldset",
        { class: "segments" },
        el("legend", {}, this.control.label),
        el("div", { class: "segment-row" }, this.inputs.map(segment)),
      ),
    );
  }

  show(values) {
    if (this.isAsking) return;
    const present = valueText(values[this.control.set]);
    for (const input of this.inputs) input.checked = input.value === present;
  }
}

/** The class for a control. */
function kindOf(control) {
  const words = control["one-of"];
  if (control.kind === "choice" && words.length <= 4 && words.join("").length <= 32) return Segments;
  return KINDS[control.kind] ?? Field;
}

const KINDS = { button: Button, switch: Switch, slider: Slider, choice: Choice, field: Field };
