// Sends values of the device's own, puts bytes into its wire side, and plays the central of a device in memory.

import { el, freshID, keepChildren } from "./dom.js";
import { panel } from "./panel.js";
import { ProblemNote, wordInput } from "./problem-note.js";
import { characteristicsWith } from "./characteristics.js";
import { centralForm } from "./central.js";

const INTO_WIRE = "into the wire side";

/** The choices besides messages: their name, the name of their input, and what to type there. */
const OWN = {
  bytes: ["your own bytes", "Bytes", "hex"],
  text: ["your own text", "Text", "UTF-8"],
  value: ["a value as in transcripts", "Value", '"OK\\r\\n" or 4F 4B'],
};

export function sendPanel(device, signal) {
  const form = new SendForm(device);
  device.addEventListener("description", () => form.show(), { signal });
  device.addEventListener("status", () => form.showCentrals(), { signal });
  return { element: panel("send", "Send", form.element, centralForm(device, signal)) };
}

class SendForm {
  #device;
  #problem = new ProblemNote();
  #from = new Choice("From");
  #to = new Choice("To");
  #what = new Choice("What");
  #fields = el("div", { class: "message-fields" });

  constructor(device) {
    this.#device = device;
    this.#what.select.addEventListener("change", () => this.#showFields());
    this.#from.select.addEventListener("change", () => this.showCentrals());
    this.element = el(
      "form",
      { class: "send-form" },
      [this.#from.element, this.#to.element, this.#what.element, this.#fields],
      el("div", { class: "row" }, el("button", { class: "primary", data: { send: "" } }, "Send")),
      this.#problem.element,
    );
    this.element.addEventListener("submit", (event) => this.#submit(event));
  }

  /** Offers what the device can send now. */
  show() {
    const { services, messages } = this.#device.description;
    const senders = characteristicsWith(services, "notify", "indicate").map((id) => [id, id]);
    this.#from.offer([...senders, ["wire", "out of the wire side"], [INTO_WIRE, INTO_WIRE]]);
    const own = Object.entries(OWN).map(([value, [label]]) => [value, label]);
    this.#what.offer([...own, ...messages.map(({ name }) => [`message ${name}`, name])]);
    if (this.#fields.childElementCount > 0) return;
    if (messages.length > 0) this.#what.select.value = `message ${messages[0].name}`;
    this.#showFields();
  }

  /**
   * Offers to send to one central, if there are several; BlueZ cannot. The chosen one stays selected after it has left, so that
   * no other gets the value meant for it.
   */
  showCentrals() {
    const chosen = this.#to.select.value;
    const centrals = new Set([...(this.#device.status?.centrals ?? []), chosen]);
    centrals.delete("");
    this.#to.offer([["", "all subscribers"], ...[...centrals].map((it) => [it, it])]);
    const isPossible = /^(loopback|exact)/.test(this.#device.description.transport) && !["wire", INTO_WIRE].includes(this.#from.select.value);
    this.#to.element.hidden = !isPossible || (centrals.size < 2 && chosen === "");
  }

  #showFields() {
    const what = this.#what.select.value;
    const message = this.#device.description.messages.find(({ name }) => what === `message ${name}`);
    this.#fields.replaceChildren(...(message ? this.#messageInputs(message) : [this.#ownInput(OWN[what])]));
  }

  #messageInputs({ template, fields, types }) {
    const inputs = fields.map((name) => this.#input(name, types[name], name));
    return [el("p", { class: "template mono faint" }, template), ...inputs];
  }

  #ownInput([, label, hint]) {
    return this.#input(label, hint, "");
  }

  #input(label, hint, field) {
    const id = freshID("field");
    const input = wordInput(this.#problem, { id, data: { field } });
    const name = el("label", { for: id }, label, " ", el("span", { class: "faint" }, hint));
    return el("div", { class: "labelled" }, name, input);
  }

  async #submit(event) {
    event.preventDefault();
    const answer = await this.#problem.watch(this.#send());
    if (answer) this.element.dataset.sent = String(answer.after);
  }

  #send() {
    const from = this.#from.select.value;
    if (from === INTO_WIRE) return this.#device.call("wire", this.#content());
    const central = this.#to.element.hidden ? "" : this.#to.select.value;
    return this.#device.call("send", { from, ...(central ? { central } : {}), ...this.#content() });
  }

  /** The contents of the inputs. An empty field is left out, because some parts of messages are optional. */
  #content() {
    const what = this.#what.select.value;
    const inputs = [...this.#fields.querySelectorAll("input")];
    if (what in OWN) return { [what]: inputs[0].value };
    const given = inputs.filter((input) => input.value !== "").map((input) => [input.dataset.field, input.value]);
    return { message: what.replace(/^message /, ""), fields: Object.fromEntries(given) };
  }
}

/** A labelled choice whose options may change. */
class Choice {
  #known = new Map();

  constructor(label) {
    const id = freshID("choice");
    this.select = el("select", { id, data: { choice: label.toLowerCase() } });
    this.element = el("div", { class: "labelled" }, el("label", { for: id }, label), this.select);
  }

  /** @param {[string, string][]} options values with their names */
  offer(options) {
    const labels = new Map(options);
    const option = (value) => el("option", { value }, labels.get(value));
    keepChildren(this.select, [...labels.keys()], option, this.#known);
  }
}
