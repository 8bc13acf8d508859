// A device: its face, and panels for everything that a person can see and do.

import { el } from "./dom.js";
import { RunningDevice } from "./running.js";
import { deviceHeader } from "./device-header.js";
import { controlsPanel } from "./controls.js";
import { valuesPanel } from "./values.js";
import { sendPanel } from "./send.js";
import { trafficPanel } from "./traffic.js";
import { advertisementPanel } from "./advertisement.js";
import { faultsPanel } from "./faults.js";
import { expectationsPanel } from "./expectations.js";
import { attributesPanel } from "./attributes.js";
import { onKeys } from "./keys.js";
import { announce } from "./announce.js";

/** The tabs with their panels. The traffic is next to them if there is room. */
const TABS = [
  ["live", "Live", [controlsPanel, valuesPanel]],
  ["send", "Send", [sendPanel]],
  ["traffic", "Traffic", [trafficPanel]],
  ["advertisement", "Advertisement", [advertisementPanel]],
  ["faults", "Faults", [faultsPanel]],
  ["expectations", "Expectations", [expectationsPanel]],
  ["attributes", "Attributes", [attributesPanel]],
];

/** @returns the function that takes another tab of the same device. */
export function showDevice(root, { name, tab, signal }) {
  const device = new RunningDevice(name, { readsEvents: true });
  signal.addEventListener("abort", () => device.end());
  const panels = TABS.flatMap(([id, , makers]) => makers.map((make) => ({ id, ...make(device, signal) })));
  const tabs = tabBar(name);
  const view = el(
    "div",
    { class: "device", data: { device: name } },
    deviceHeader(device, signal),
    tabs,
    arranged(panels),
  );
  root.append(view);
  device.addEventListener("state", () => (view.dataset.state = device.state), { signal });
  device.addEventListener("description", () => view.classList.add("known"), { signal });
  device.addEventListener("events", ({ detail }) => tellLinks(detail.events), { signal });
  onKeys(keysFor(name), signal);
  const show = (wanted) => select(wanted, view, tabs, panels);
  show(tab);
  return show;
}

/** The traffic next to all others. */
function arranged(panels) {
  const traffic = panels.find((it) => it.id === "traffic");
  const others = panels.filter((it) => it !== traffic).map((it) => it.element);
  return el("div", { class: "panels" }, el("div", { class: "side" }, others), traffic.element);
}

/** Shows the panels of a tab; of the first if there is none of this name. */
function select(wanted, view, tabs, panels) {
  const id = TABS.some(([known]) => known === wanted) ? wanted : "live";
  view.dataset.tab = id;
  for (const link of tabs.querySelectorAll("a")) {
    if (link.dataset.tabLink === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  tabs.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
  for (const panel of panels) {
    panel.element.classList.toggle("shown", panel.id === id);
    if (panel.id === id) panel.update?.();
  }
}

/** A digit for each tab, and the presenter's view. */
function keysFor(name) {
  const go = (place) => () => (location.hash = `#/${encodeURIComponent(name)}/${place}`);
  const digits = TABS.map(([id], index) => [String(index + 1), go(id)]);
  return { ...Object.fromEntries(digits), v: go("present") };
}

function tabBar(name) {
  const link = ([id, label]) => el("a", { href: `#/${encodeURIComponent(name)}/${id}`, data: { tabLink: id } }, label);
  return el("nav", { class: "tabs", "aria-label": "Parts of the device" }, TABS.map(link));
}

/** Announces that a central connects or disconnects: of many at once, only the last. */
function tellLinks(events) {
  const last = events.findLast((event) => event.event === "connected" || event.event === "disconnected");
  if (last) announce(`Central ${last.central ?? ""} ${last.event}.`);
}
