// The traffic: a filter, a search, and the list of events.

import { el, setText } from "./dom.js";
import { panel, isSeen } from "./panel.js";
import { TrafficLog } from "./traffic-log.js";
import { TrafficList } from "./traffic-list.js";
import { filterFor } from "./traffic-filter.js";
import { patternFor } from "./highlight.js";
import { GROUPS } from "./event-words.js";
import { PauseButton, searchField, groupChips, selects } from "./traffic-tools.js";
import { onKeys } from "./keys.js";
import { count } from "./format.js";
import { saveMenu } from "./transcript.js";
import { announce } from "./announce.js";

export function trafficPanel(device, signal) {
  const traffic = new Traffic(device, signal);
  return { element: traffic.element, update: () => traffic.show() };
}

class Traffic {
  #device;
  #log = new TrafficLog();
  #list;
  #choice = { groups: new Set(GROUPS.map(([id]) => id)), attribute: "", message: "", search: "" };
  #search = searchField(this.#choice, () => this.#apply());
  #pause = new PauseButton(this.#log, () => this.show());
  #latest = el("button", { type: "button", class: "latest", hidden: true, data: { latest: "" } }, "↓ Latest");
  #count = el("span", { class: "traffic-count faint" });
  #none = el("p", { class: "traffic-none faint" });

  constructor(device, signal) {
    this.#device = device;
    this.#list = new TrafficList(this.#log, (name) => templateOf(device, name), signal);
    this.#list.onFollow = () => (this.#latest.hidden = this.#list.isFollowing);
    this.#latest.addEventListener("click", () => this.#list.follow());
    this.element = this.#build(signal);
    this.#listen(signal);
    this.#apply();
  }

  /** Shows the events as they are now. */
  show() {
    const { shown, count: all, isFiltered } = this.#log;
    const number = shown.length.toLocaleString("en");
    setText(this.#count, isFiltered ? `${number} of ${count(all, "event")}` : count(shown.length, "event"));
    this.#none.hidden = shown.length > 0;
    setText(this.#none, all === 0 ? "Nothing has happened yet." : "No event matches.");
    this.#list.render();
  }

  #build(signal) {
    const apply = () => this.#apply();
    const clear = el("button", { type: "button", class: "small", data: { clear: "" } }, "Clear");
    clear.addEventListener("click", () => this.#clear());
    const tools = [this.#search, this.#pause.element, clear, saveMenu(this.#device), this.#count];
    const filters = [groupChips(this.#choice, apply), selects(this.#device, signal, this.#choice, apply)];
    return panel(
      "traffic",
      "Traffic",
      el("div", { class: "traffic-tools" }, tools),
      el("div", { class: "traffic-filters" }, filters),
      el("div", { class: "traffic-frame" }, this.#list.element, this.#none, this.#latest),
    );
  }

  #listen(signal) {
    const on = { signal };
    this.#device.addEventListener("events", ({ detail }) => this.#take(detail), on);
    this.#device.addEventListener("restarted", () => this.#add([note("The device has restarted.")]), on);
    document.addEventListener("reveal-event", ({ detail }) => this.#reveal(detail), on);
    onKeys({ "/": () => this.#beginSearch(), p: () => this.#pause.toggle() }, signal);
  }

  #take({ events, forgotten }) {
    if (forgotten === 0) return this.#add(events);
    const missing = count(forgotten, "event");
    this.#add([note(`${missing} missing here: the journal dropped them before the page read them.`), ...events]);
  }

  #add(events) {
    this.#list.dropped(this.#log.add(events));
    this.#pause.showMissed();
    this.show();
  }

  #apply() {
    this.#log.filter(filterFor(this.#choice));
    this.#list.pattern = patternFor(this.#choice.search);
    this.show();
  }

  #clear() {
    this.#log.clear();
    this.#list.follow();
    this.show();
  }

  #beginSearch() {
    this.#whenSeen(() => this.#search.querySelector("input").focus());
  }

  #reveal(number) {
    this.#whenSeen(() => this.#list.reveal(number) || announce(`Event ${number} is not in the list.`));
  }

  /** Does something in the traffic, after showing it if it has its own tab. */
  #whenSeen(action) {
    if (isSeen(this.element)) return void action();
    location.hash = `#/${encodeURIComponent(this.#device.name)}/traffic`;
    setTimeout(action, 50);
  }
}

function templateOf(device, name) {
  return device.description?.messages.find((message) => message.name === name)?.template;
}

/** A line of the page's own. */
function note(message) {
  return { event: "gap", message, time: new Date().toISOString() };
}
