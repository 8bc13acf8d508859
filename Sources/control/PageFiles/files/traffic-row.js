// A row of the traffic, and its details when it is open.

import { el } from "./dom.js";
import { bytesOf, clock, isText } from "./format.js";
import { highlighted } from "./highlight.js";
import { hexDump } from "./hexdump.js";

/** A row that is reused for other events. */
export class TrafficRow {
  #time = el("span", { class: "row-time" });
  #mark = el("span", { class: "row-mark", "aria-hidden": "true" });
  #kind = el("span", { class: "unseen" });
  #place = el("span", { class: "row-place" });
  #central = el("span", { class: "row-central" });
  #content = el("span", { class: "row-content" });
  element = el(
    "div",
    { class: "traffic-row", role: "option" },
    this.#time,
    this.#mark,
    this.#kind,
    this.#place,
    this.#central,
    this.#content,
  );
  entry = null;
  #pattern = null;
  #namesCentral = false;

  /** @param {boolean} namesCentral whether there are several centrals, so that the row says which one it is about */
  fill(entry, pattern, namesCentral) {
    if (entry === this.entry && pattern === this.#pattern && namesCentral === this.#namesCentral) return;
    [this.entry, this.#pattern, this.#namesCentral] = [entry, pattern, namesCentral];
    const { dataset } = this.element;
    dataset.row = entry.event.number ?? "";
    dataset.group = entry.group;
    dataset.event = entry.event.event;
    this.#time.textContent = entry.event.time ? clock(entry.event.time) : "";
    this.#mark.textContent = entry.mark;
    this.#kind.textContent = `${entry.kind} `;
    this.#place.replaceChildren(...highlighted(entry.place || entry.central, pattern));
    this.#central.replaceChildren(...highlighted(namesCentral && entry.place ? entry.central : "", pattern));
    this.#content.replaceChildren(...contentOf(entry, pattern));
  }
}

function contentOf(entry, pattern) {
  const parts = [];
  const add = (name, text) => text && parts.push(el("span", { class: name }, highlighted(text, pattern)));
  add("row-message", entry.message);
  add("row-fields", entry.detail);
  add("row-words", entry.words);
  if (!entry.fields) add("row-hex", entry.value.length > 120 ? `${entry.value.slice(0, 120)}…` : entry.value);
  if (!entry.fields && isText(bytesOf(entry.value))) add("row-text", entry.text.slice(0, 80));
  if (entry.fields && entry.value) add("row-hex later", entry.value.slice(0, 60));
  return parts.flatMap((part) => [part, " "]);
}

/** All details of an event. */
export function rowDetail(entry, template, pattern) {
  const { event } = entry;
  const facts = [
    ["Event", `${event.number ?? ""} ${entry.kind}`],
    ["Central", event.central],
    ["Attribute", event.attribute],
    ["Refused", event.refused],
    ["Fault", event["fault-number"] && `${event["fault-number"]}, strikes value ${event.ordinal}`],
    ["Became", event.became],
    ["Message", entry.message],
    ["Template", entry.message && template],
  ].filter(([, text]) => text !== undefined && text !== "");
  const row = ([name, text]) => el(
    "div",
    { class: name === "Template" ? "whole" : "" },
    el("dt", {}, name),
    el("dd", {}, highlighted(String(text), pattern)),
  );
  return el(
    "div", { class: "row-detail", role: "region", "aria-label": `Event ${event.number ?? ""}` },
    el("dl", { class: "detail-facts" }, facts.map(row)),
    entry.fields && el("dl", { class: "detail-fields" }, Object.entries(entry.fields).map(row)),
    entry.words && el("p", { class: "detail-words" }, highlighted(entry.words, pattern)),
    event.value !== undefined && hexDump(event.value),
  );
}
