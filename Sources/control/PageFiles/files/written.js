// What centrals write, in lines that the last row can read.

import { el, setText } from "./dom.js";
import { fieldWords } from "./event-words.js";
import { bytesOf, isText } from "./format.js";
import { onceAFrame } from "./timing.js";

/** The most lines. */
const MOST = 4;
/** How long a text without its end waits for the rest, milliseconds. */
const PATIENCE = 250;

export class WrittenLines {
  #none = el("p", { class: "written-none" }, "No central has written anything yet.");
  #list = el("ol", { class: "written-lines" });
  element = el("section", { class: "written", "aria-label": "Written by centrals" }, this.#none, this.#list);
  /** Oldest first: `place`, `central`, `value` (hex), `time`, and what is shown: `text`, `message` and `words`, or the value. */
  #lines = [];
  #draw = onceAFrame(() => {
    this.#none.hidden = this.#lines.length > 0;
    this.#list.replaceChildren(...this.#lines.map(row));
  });

  take(events) {
    for (const event of events) this.#take(event);
    this.#draw();
  }

  forget() {
    this.#lines = [];
    this.#draw();
  }

  #take(event) {
    const { event: kind, direction, attribute, value, refused } = event;
    const isWhole = (kind === "frame" || kind === "plain") && direction === "in" && attribute !== "wire";
    if (isWhole) this.#dropParts(event);
    if (!value || refused || !(isWhole || kind === "write" || kind === "channel-in")) return;
    const bytes = bytesOf(value);
    if (isText(bytes)) this.#takeText(event, String.fromCharCode(...bytes));
    else this.#lines.push(lineOf(event));
    this.#lines.splice(0, this.#lines.length - MOST);
  }

  /** Adds the lines of a text. Its first may continue the last line, which a central has written in pieces. */
  #takeText(event, text) {
    const last = this.#lines.at(-1);
    const time = Date.parse(event.time);
    const continues = last?.isOpen && last.place === event.attribute && last.central === event.central
      && time - last.time < PATIENCE;
    const parts = text.split(/[\r\n]+/);
    parts.forEach((part, index) => {
      const isOpen = index === parts.length - 1;
      if (index === 0 && continues) {
        Object.assign(last, { text: last.text + part, value: `${last.value} ${event.value}`, time, isOpen });
      } else if (part !== "") this.#lines.push({ ...lineOf(event), text: part, isOpen });
    });
  }

  /** Drops the values that a message has come in, or its encoded form. */
  #dropParts({ event: kind, attribute, value }) {
    const isPart = (line) => line.place === attribute && (line.text !== undefined || !line.message)
      && (kind === "plain" || value.includes(line.value) || line.value.includes(value));
    while (this.#lines.length > 0 && isPart(this.#lines.at(-1))) this.#lines.pop();
  }
}

function lineOf({ attribute, central, value, time, message, fields }) {
  return { place: attribute, central, value, time: Date.parse(time), message, words: fieldWords(fields) };
}

function row({ message, words, text, value }) {
  const line = el("li");
  if (text !== undefined) setText(line, text);
  else if (message) line.append(el("strong", {}, message), words ? ` ${words}` : "");
  else line.append(el("span", { class: "mono" }, value));
  return line;
}
