// A value with its name, its plot if it is a number, and an editor if it can be set.

import { el, setText } from "./dom.js";
import { History } from "./history.js";
import { Plot } from "./plot.js";
import { ProblemNote } from "./problem-note.js";
import { limitWords } from "./controls.js";
import { bytesOf, number, printable, valueText } from "./format.js";

/** The kinds of values that nobody can set. */
const FIXED = new Set(["state", "characteristic", "field"]);

export class ValueRow {
  #slot;
  #device;
  #history = new History();
  #plot = new Plot(this.#history);
  #shown = el("span", { class: "value-text" }, "–");
  #range = el("span", { class: "value-range" });
  #problem = new ProblemNote();
  #last;
  #isEven = false;
  #onRemove;

  constructor(slot, device, onRemove) {
    [this.#slot, this.#device, this.#onRemove] = [slot, device, onRemove];
    this.#plot.element.hidden = true;
    this.element = el(
      "div",
      { class: "value-row", role: "group", "aria-label": slot.name, data: { valueName: slot.name, kind: slot.kind } },
      el("div", { class: "value-head" }, el("span", { class: "value-name" }, slot.name), this.#range),
      this.#plot.element, this.#action(), this.#problem.element,
    );
  }

  /** Takes the current value. */
  take() {
    const value = this.#slot.read();
    if (typeof value === "number") this.#history.add(performance.now(), value);
    if (value === this.#last) return;
    if (this.#last !== undefined) this.#mark();
    this.#last = value;
  }

  forget() {
    this.#history.changes = [];
    this.#last = undefined;
  }

  draw() {
    const error = this.#slot.kind === "expression" ? this.#device.problemWith(this.#slot.name) : undefined;
    setText(this.#shown, error ? "no value" : valueText(this.#last) || "empty");
    const title = error?.message ?? valueText(this.#last);
    if (this.#shown.title !== title) this.#shown.title = title;
    this.element.dataset.type = typeof this.#last;
    const isNumber = typeof this.#last === "number";
    this.#plot.element.hidden = !isNumber;
    if (!isNumber) return setText(this.#range, this.#note());
    this.#plot.draw(performance.now());
    const { least, greatest } = this.#history.range;
    setText(this.#range, least === greatest ? "" : `${number(least)} … ${number(greatest)}`);
  }

  /** The name of a characteristic, and its value if that is a text. */
  #note() {
    const { kind, label } = this.#slot;
    if (kind !== "characteristic") return "";
    const text = printable(bytesOf(this.#last ?? ""));
    return [label, text.length > 2 && !text.includes("·") ? `“${text}”` : ""].filter(Boolean).join(" ");
  }

  /** Lets the value light up briefly: two names of one animation, so that it begins anew. */
  #mark() {
    this.#isEven = !this.#isEven;
    this.#shown.dataset.changed = this.#isEven ? "even" : "odd";
  }

  #action() {
    const { kind, name, type } = this.#slot;
    if (FIXED.has(kind)) return el("div", { class: "value-place" }, this.#shown);
    if (kind === "expression") {
      const remove = el("button", { type: "button", class: "small quiet", "aria-label": `Do not watch ${name}` }, "×");
      remove.addEventListener("click", this.#onRemove);
      return el("div", { class: "value-place" }, this.#shown, remove);
    }
    const edit = el(
      "button",
      { type: "button", class: "value-button", title: limitWords(this.#slot) },
      el("span", { class: "unseen" }, `Set ${name}, now `),
      this.#shown,
    );
    edit.addEventListener("click", () => (type === "boolean" ? this.#set(this.#last !== true) : this.#edit()));
    return el("div", { class: "value-place" }, edit);
  }

  async #set(value) {
    return this.#problem.watch(this.#device.call("set", { values: { [this.#slot.name]: value } }));
  }

  /** Puts an editor in the value's place. What the person types stays until the device takes it, or Escape. */
  #edit() {
    if (this.element.querySelector("form")) return;
    const place = this.element.querySelector(".value-place");
    const button = place.firstElementChild;
    const input = this.#input();
    const form = el(
      "form",
      { class: "value-form" },
      input,
      el("button", { class: "small primary" }, "Set"),
      el("span", { class: "faint value-limits" }, limitWords(this.#slot)),
    );
    let isOpen = true; // removing the focused element closes again
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      form.remove();
      button.hidden = false;
      this.#problem.clear();
      this.element.classList.remove("editing");
      button.focus();
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if ((await this.#set(input.value)) !== undefined) close();
      else input.focus();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
    });
    form.addEventListener("focusout", (event) => {
      if (!form.contains(event.relatedTarget) && input.value === input.defaultText) close();
    });
    button.hidden = true;
    this.element.classList.add("editing");
    place.append(form);
    input.focus();
    input.select?.();
  }

  #input() {
    const present = this.#last === undefined ? "" : String(this.#last);
    const label = { "aria-label": `New value of ${this.#slot.name}`, "aria-describedby": this.#problem.element.id };
    const choices = this.#slot["one-of"];
    const input = choices
      ? el("select", label, choices.map((word) => el("option", { value: word }, word)))
      : el("input", { ...label, type: "text", autocomplete: "off", spellcheck: "false" });
    input.value = present;
    input.defaultText = present;
    return input;
  }
}
