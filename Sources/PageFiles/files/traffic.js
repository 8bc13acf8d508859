// The traffic: a filter, a search, and the list of events.

import { el, setText, keepChildren } from "./dom.js";
import { panel, isSeen } from "./panel.js";
import { TrafficLog } from "./traffic-log.js";
import { TrafficList } from "./traffic-list.js";
import { filterFor } from "./traffic-filter.js";
import { patternFor } from "./highlight.js";
import { GROUPS } from "./event-words.js";
import { onKeys } from "./keys.js";
import { count } from "./format.js";
import { saveMenu } from "./transcript.js";
import { announce } from "./announce.js";

export function trafficPanel(device, signal) {
  const log = new TrafficLog();
  const templateOf = (name) => device.description?.messages.find((message) => message.name === name)?.template;
  const list = new TrafficList(log, templateOf, signal);
  const choice = { groups: new Set(GROUPS.map(([id]) => id)), attribute: "", message: "", search: "" };
  const status = el("span", { class: "traffic-count faint" });
  const none = el("p", { class: "traffic-none faint" }, "Nothing has happened yet.");

  const show = () => {
    setText(status, log.isFiltered ? `${log.shown.length.toLocaleString("en")} of ${count(log.count, "event")}` : count(log.shown.length, "event"));
    none.hidden = log.shown.length > 0;
    setText(none, log.count === 0 ? "Nothing has happened yet." : "No event is like that.");
    list.render();
  };
  const apply = () => {
    log.filter(filterFor(choice));
    list.pattern = patternFor(choice.search);
    show();
  };
  const add = (events) => {
    list.dropped(log.add(events));
    pause.showMissed();
    show();
  };

  const search = searchField(choice, apply);
  const pause = pauseButton(log, show);
  const latest = el("button", { type: "button", class: "latest", hidden: true, data: { latest: "" } }, "↓ Latest");
  latest.addEventListener("click", () => list.follow());
  list.onFollow = () => (latest.hidden = list.isFollowing);
  const clear = el("button", { type: "button", class: "small", data: { clear: "" } }, "Clear");
  clear.addEventListener("click", () => {
    log.clear();
    list.follow();
    show();
  });

  device.addEventListener("events", ({ detail }) => add(gap(detail.forgotten).concat(detail.events)), { signal });
  device.addEventListener("restarted", () => add([note("The device has started anew.")]), { signal });
  document.addEventListener("reveal-event", ({ detail }) => {
    whenShown(device, list.element, () => list.reveal(detail) || announce(`Event ${detail} is not in the list.`));
  }, { signal });
  onKeys({ "/": () => whenShown(device, search, () => search.querySelector("input").focus()), p: () => pause.toggle() }, signal);
  apply();
  const element = panel(
    "traffic", "Traffic",
    el("div", { class: "traffic-tools" }, search, pause.element, clear, saveMenu(device), status),
    el("div", { class: "traffic-filters" }, groupChips(choice, apply), selects(device, signal, choice, apply)),
    el("div", { class: "traffic-frame" }, list.element, none, latest),
  );
  return { element, update: () => list.render() };
}

/** Does something in the traffic, after showing it if it is in a tab of its own. */
function whenShown(device, element, action) {
  if (isSeen(element)) return void action();
  location.hash = `#/${encodeURIComponent(device.name)}/traffic`;
  setTimeout(action, 50);
}

/** Says that events are missing because the page was too slow. */
function gap(forgotten) {
  return forgotten > 0 ? [note(`${count(forgotten, "event")} missing here: the journal had forgotten them before they were read.`)] : [];
}

function note(message) {
  return { event: "gap", message, time: new Date().toISOString() };
}

function searchField(choice, apply) {
  const input = el("input", { type: "search", id: "traffic-search", placeholder: "Search text or hex", "aria-label": "Search the traffic", autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => {
    choice.search = input.value;
    apply();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    input.value = choice.search = "";
    apply();
    input.blur();
  });
  return el("div", { class: "search" }, input);
}

function pauseButton(log, show) {
  const element = el("button", { type: "button", class: "small pause", "aria-pressed": "false", data: { pause: "" } }, "Pause");
  let isPaused = false;
  const label = () => setText(element, isPaused ? `Go on${log.missed > 0 ? ` (${log.missed.toLocaleString("en")} new)` : ""}` : "Pause");
  const toggle = () => {
    isPaused = !isPaused;
    if (isPaused) log.pause();
    else log.resume();
    element.setAttribute("aria-pressed", String(isPaused));
    label();
    show();
    announce(isPaused ? "Traffic paused." : "Traffic goes on.");
  };
  element.addEventListener("click", toggle);
  return { element, toggle, showMissed: () => isPaused && label() };
}

function groupChips(choice, apply) {
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
function selects(device, signal, choice, apply) {
  const make = (id, all) => {
    const select = el("select", { "aria-label": all, data: { filter: id } });
    const known = new Map();
    select.addEventListener("change", () => {
      choice[id] = select.value;
      apply();
    });
    return { select, fill: (names) => keepChildren(select, ["", ...names], (name) => el("option", { value: name }, name || all), known) };
  };
  const attribute = make("attribute", "All attributes");
  const message = make("message", "All messages");
  device.addEventListener("description", () => {
    const ids = device.description.services.flatMap((service) => service.characteristics.map((it) => it.id));
    attribute.fill([...new Set([...ids, "wire"])]);
    message.fill(device.description.messages.map((it) => it.name));
    message.select.hidden = device.description.messages.length === 0;
  }, { signal });
  return el("div", { class: "row" }, attribute.select, message.select);
}
