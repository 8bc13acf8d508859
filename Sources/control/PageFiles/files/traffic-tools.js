// The tools of the traffic: search, pause, and choice of the shown events.

import { el, setText, keepChildren } from "./dom.js";
import { GROUPS } from "./event-words.js";
import { announce } from "./announce.js";

export function searchField(choice, apply) {
  const input = el("input", {
    type: "search",
    id: "traffic-search",
    placeholder: "Search text or hex",
    "aria-label": "Search the traffic",
    autocomplete: "off",
    spellcheck: "false",
  });
  const search = (text) => {
    choice.search = text;
    apply();
  };
  input.addEventListener("input", () => search(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    input.value = "";
    search("");
    input.blur();
  });
  return el("div", { class: "search" }, input);
}

export class PauseButton {
  element = el(
    "button",
    { type: "button", class: "small pause", "aria-pressed": "false", data: { pause: "" } },
    "Pause",
  );
  #log;
  #show;
  #isPaused = false;

  /** @param {() => void} show called when the shown events may change */
  constructor(log, show) {
    [this.#log, this.#show] = [log, show];
    this.element.addEventListener("click", () => this.toggle());
  }

  toggle() {
    this.#isPaused = !this.#isPaused;
    if (this.#isPaused) this.#log.pause();
    else this.#log.resume();
    this.element.setAttribute("aria-pressed", String(this.#isPaused));
    this.showMissed();
    this.#show();
    announce(this.#isPaused ? "Traffic paused." : "Traffic resumed.");
  }

  /** Says how many events have come since the pause began. */
  showMissed() {
    const missed = this.#log.missed > 0 ? ` (${this.#log.missed.toLocaleString("en")} new)` : "";
    setText(this.element, this.#isPaused ? `Resume${missed}` : "Pause");
  }
}

/** A switch for each kind of events. */
export function groupChips(choice, apply) {
  const chip = ([id, label]) => {
    const button = el("button", { type: "button", class: "chip", "aria-pressed": "true", data: { group: id } }, label);
    button.addEventListener("click", () => {
      const isOn = !choice.groups.has(id);
      if (isOn) choice.groups.add(id);
      else choice.groups.delete(id);
      button.setAttribute("aria-pressed", String(isOn));
      apply();
    });
    return button;
  };
  return el("div", { class: "chips", role: "group", "aria-label": "Kinds of events" }, GROUPS.map(chip));
}

/** The choices of an attribute and of a message. */
export function selects(device, signal, choice, apply) {
  const attribute = filterSelect("attribute", "All attributes", choice, apply);
  const message = filterSelect("message", "All messages", choice, apply);
  const fill = () => {
    const ids = device.description.services.flatMap((service) => service.characteristics.map((it) => it.id));
    attribute.fill([...new Set([...ids, "wire"])]);
    message.fill(device.description.messages.map((it) => it.name));
    message.element.hidden = device.description.messages.length === 0;
  };
  device.addEventListener("description", fill, { signal });
  return el("div", { class: "row" }, attribute.element, message.element);
}

function filterSelect(id, all, choice, apply) {
  const element = el("select", { "aria-label": all, data: { filter: id } });
  const known = new Map();
  element.addEventListener("change", () => {
    choice[id] = element.value;
    apply();
  });
  const option = (name) => el("option", { value: name }, name || all);
  return { element, fill: (names) => keepChildren(element, ["", ...names], option, known) };
}
