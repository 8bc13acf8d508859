// Sends values of the device's own, puts bytes into its wire side, and plays the central of a device in memory.

import { el, freshID, keepChildren } from "./dom.js";
import { panel } from "./panel.js";
import { ProblemNote } from "./problem-note.js";
import { centralForm } from "./central.js";

const INTO_WIRE = "into the wire side";

export function sendPanel(device, signal) {
  return { element: panel("send", "Send", sendForm(device, signal), centralForm(device, signal)) };
}

function sendForm(device, signal) {
  const problem = new ProblemNote();
  const from = choice("From");
  const what = choice("What");
  const fields = el("div", { class: "message-fields" });
  const show = () => fields.replaceChildren(...inputsFor(device.description, what.select.value, problem.element.id));
  what.select.addEventListener("change", show);
  device.addEventListener("description", () => {
    const { services, messages } = device.description;
    const sending = services.flatMap((it) => it.characteristics).filter(
      (it) => it.properties.some((name) => name === "notify" || name === "indicate"),
    );
    from.fill(
      [...new Set(sending.map((it) => it.id)), "wire", INTO_WIRE],
      (name) => (name === "wire" ? "out of the wire side" : name),
    );
    what.fill(
      ["bytes", "text", ...messages.map((it) => `message ${it.name}`)],
      (name) => name.replace(/^message /, "") + (name.startsWith("message ") ? "" : " of your own"),
    );
    if (fields.childElementCount === 0) {
      if (messages.length > 0) what.select.value = `message ${messages[0].name}`;
      show();
    }
  }, { signal });
  const form = el(
    "form",
    { class: "send-form" },
    from.element,
    what.element,
    fields,
    el("div", { class: "row" }, el("button", { class: "primary", data: { send: "" } }, "Send")),
    problem.element,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const content = contentOf(what.select.value, fields);
    const isInto = from.select.value === INTO_WIRE;
    const answer = await problem.watch(
      device.call(isInto ? "wire" : "send", isInto ? content : { from: from.select.value, ...content }),
    );
    if (answer) form.dataset.sent = String(answer.after);
  });
  return form;
}

/** A labelled choice whose options may change. */
function choice(label) {
  const id = freshID("choice");
  const select = el("select", { id, data: { choice: label.toLowerCase() } });
  const known = new Map();
  return {
    select, element: el("div", { class: "labelled" }, el("label", { for: id }, label), select),
    fill: (values, words) => keepChildren(select, values, (value) => el("option", { value }, words(value)), known),
  };
}

/** The inputs for bytes, text, or the fields of a message. */
function inputsFor(description, what, problemID) {
  const input = (label, type, name) => {
    const id = freshID("field");
    return el(
      "div", { class: "labelled" }, el(
        "label",
        { for: id },
        label,
        type ? el("span", { class: "faint" }, ` ${type}`) : null,
      ),
      el(
        "input",
        {
          id,
          type: "text",
          autocomplete: "off",
          spellcheck: "false",
          class: "mono",
          data: { field: name },
          "aria-describedby": problemID,
        },
      ),
    );
  };
  if (what === "bytes") return [input("Bytes", "hex", "")];
  if (what === "text") return [input("Text", "UTF-8", "")];
  const message = description.messages.find((it) => `message ${it.name}` === what);
  if (!message) return [];
  const template = el("p", { class: "template mono faint" }, message.template);
  return [template, ...message.fields.map((name) => input(name, message.types[name], name))];
}

/** What the inputs say. An empty field is left out: some parts of messages are optional. */
function contentOf(what, fields) {
  const inputs = [...fields.querySelectorAll("input")];
  if (what === "bytes" || what === "text") return { [what]: inputs[0].value };
  const given = inputs.filter((input) => input.value !== "").map((input) => [input.dataset.field, input.value]);
  return { message: what.replace(/^message /, ""), fields: Object.fromEntries(given) };
}
