// The stand at a glance: a card for each device.

import { el, keepChildren } from "./dom.js";
import { every } from "./timing.js";
import { isKnown, runningDevices } from "./devices.js";
import { DeviceCard } from "./card.js";
import { announce } from "./announce.js";

/** The most cards of devices that have ended. */
const MOST_ENDED = 20;

export function showStand(root, { signal }) {
  const cards = new Map();
  const grid = el("ul", { class: "cards", id: "cards", "aria-label": "Running devices" });
  const [empty, locked] = [emptyStand(), lockedStand()];
  root.append(el("h1", { class: "unseen" }, "Devices"), empty, locked, grid);
  const known = new Map();
  let isFirst = true;
  every(1500, signal, async () => {
    const running = await runningDevices(signal);
    locked.hidden = isKnown || cards.size > 0;
    if (signal.aborted || running === null) return;
    meet(cards, running, signal, isFirst);
    isFirst = false;
    forget(cards, running);
    empty.hidden = cards.size > 0;
    grid.hidden = cards.size === 0;
    keepChildren(grid, [...cards.keys()].sort(), (name) => cards.get(name).element, known);
  });
}

/** @param {boolean} isFirst whether these devices ran before the page was opened: they need no announcement */
function meet(cards, running, signal, isFirst) {
  for (const name of running) {
    if (cards.has(name)) continue;
    const card = new DeviceCard(name, signal);
    cards.set(name, card);
    let isNews = !isFirst;
    card.device.addEventListener("state", () => {
      if (isNews) tell(card.device);
      isNews = true;
    }, { signal });
  }
}

function tell(device) {
  if (device.state === "ended") announce(`${device.name} has ended.`);
  if (device.state === "silent") announce(`${device.name} does not answer.`);
  if (device.state === "running") announce(`${device.name} runs.`);
}

/** Drops cards of devices that ended long ago. */
function forget(cards, running) {
  const ended = [...cards.keys()].filter((name) => !running.includes(name));
  for (const name of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
    cards.get(name).end();
    cards.delete(name);
  }
}

function lockedStand() {
  return el(
    "section", { class: "empty", id: "locked", hidden: true },
    el("img", { src: "/favicon.svg", alt: "", width: 56, height: 56 }),
    el("h2", {}, "Open the address from the terminal"),
    el("p", {}, "Open the address that blemu web printed. It contains a token that lets this browser in."),
  );
}

function emptyStand() {
  const command = (text) => el("pre", { class: "command" }, text);
  return el(
    "section", { class: "empty", id: "empty", hidden: true, data: { empty: "" } },
    el("img", { src: "/favicon.svg", alt: "", width: 56, height: 56 }),
    el("h2", {}, "No device is running"),
    el("p", {}, "Start one in a terminal, or all of a stand:"),
    command("blemu run heart-rate-belt"), command("blemu up desk.yaml"),
    el("p", { class: "faint" }, "It appears here automatically."),
  );
}
