// The head of a device's view: its face, its description, and the actions on it as a whole.

import { el, setText, keepChildren } from "./dom.js";
import { FaceFrame } from "./face-frame.js";
import { stateWords } from "./card.js";
import { duration, rate, count } from "./format.js";
import { every } from "./timing.js";
import { runningDevices, isServerThere, isKnown } from "./devices.js";
import { confirm } from "./confirm.js";
import { icon } from "./icons.js";
import { ProblemNote } from "./problem-note.js";

export function deviceHeader(device, signal) {
  const problem = new ProblemNote();
  const frame = new FaceFrame(device, signal, (error) => problem.show(error));
  return el(
    "header", { class: "device-head" },
    el("div", { class: "head-frame" }, frame.element),
    identity(device, signal),
    el("div", { class: "head-side" }, actions(device, signal, problem), problem.element),
  );
}

function identity(device, signal) {
  const definition = el("span", {}, "…");
  const lamp = el("span", { class: "lamp", "aria-hidden": "true" });
  const state = el("span", { data: { deviceState: "" } });
  const place = el("span", { class: "mono" });
  const totals = el("span", { class: "head-totals" });
  const summary = el("p", { class: "head-summary faint" });
  const update = () => {
    const { status } = device;
    if (!status) return setText(state, stateWords(device.state));
    setText(definition, status.definition);
    setText(summary, device.description.summary ?? "");
    lamp.dataset.lamp = device.state === "running" && status["on-air"] ? "on" : "off";
    setText(
      state,
      stateWords(device.state, status) + (device.state === "running" ? `, ${duration(status.milliseconds)}` : ""),
    );
    setText(place, [status.adapter ?? status.transport, status.address].filter(Boolean).join(" "));
    setText(totals, totalsText(device));
  };
  for (const type of ["status", "state"]) device.addEventListener(type, update, { signal });
  document.addEventListener("server-state", update, { signal });
  return el(
    "div", { class: "head-identity" },
    el("h1", {}, device.name), el("p", { class: "head-definition" }, definition), summary,
    el("p", { class: "head-line" }, el("span", { class: "head-state" }, lamp, state), place),
    el("p", { class: "head-line" }, totals, endedNotice(device, totals, signal)),
  );
}

/** Takes the place of the totals while there is no connection, and says why. */
function endedNotice(device, totals, signal) {
  const notice = el("span", { class: "notice", hidden: true, role: "status", id: "ended" });
  const update = () => {
    notice.hidden = device.state !== "ended" && device.state !== "silent";
    totals.hidden = !notice.hidden;
    if (!notice.hidden) setText(notice, absentWords(device));
  };
  device.addEventListener("state", update, { signal });
  every(2000, signal, async () => {
    if (device.state !== "ended" && isServerThere) return;
    await runningDevices(signal);
    update();
  });
  return notice;
}

function absentWords(device) {
  if (device.state === "silent") return "The device does not answer. Is its process stopped?";
  if (!isKnown) return "The server has restarted with another token, or this browser has none. Open the address that blemu web printed.";
  if (!isServerThere) return "The connection to the server is lost. The page reconnects automatically.";
  return device.description
    ? "The device has ended. It reappears here when it runs again."
    : "No such device is running. It appears here automatically once it starts.";
}

function totalsText({ status, rates }) {
  const lost = status["values-lost"] > 0 ? ` · ${status["values-lost"]} lost` : "";
  const centrals = count(status.centrals.length, "central");
  const values = (name) => `${name} ${status[`values-${name}`]} (${rate(rates[name])}/s)`;
  return `${centrals} · ${values("in")} · ${values("out")}${lost}`;
}

/** Buttons for the device as a whole. */
function actions(device, signal, problem) {
  const act = (method, params) => problem.watch(device.call(method, params));
  const advertise = el(
    "button",
    { type: "button", role: "switch", "aria-checked": "false", class: "toggle", data: { action: "advertise" } },
    el("span", { class: "knob", "aria-hidden": "true" }),
    "Advertise",
  );
  advertise.addEventListener(
    "click",
    () => act("advertise", { on: advertise.getAttribute("aria-checked") !== "true" }),
  );
  const reset = el("button", { type: "button", data: { action: "reset" } }, "Reset");
  reset.addEventListener("click", () => act("reset"));
  const stop = el("button", { type: "button", class: "danger", data: { action: "stop" } }, "Stop…");
  stop.addEventListener("click", async () => {
    if (await confirm(`Stop ${device.name}?`, "This takes it off the air and ends it.", "Stop")) act("stop");
  });
  device.addEventListener(
    "description",
    () => advertise.setAttribute("aria-checked", String("advertises" in device.description)),
    { signal },
  );
  const all = [advertise, reset, stop];
  device.addEventListener("state", () => all.forEach((it) => (it.disabled = device.state !== "running")), { signal });
  const present = el(
    "a",
    {
      class: "button",
      href: `#/${encodeURIComponent(device.name)}/present`,
      title: "Fill the window with the face (v)",
      data: { action: "present" },
    },
    icon("expand"),
    "Present",
  );
  return el("div", { class: "head-actions" }, el("div", { class: "row" }, present, all), centrals(device, signal, act));
}

/** The connected centrals, each with a button that disconnects it. */
function centrals(device, signal, act) {
  const list = el("ul", { class: "centrals", "aria-label": "Connected centrals" });
  const known = new Map();
  const make = (address) => {
    const button = el(
      "button",
      { type: "button", class: "small", "aria-label": `Disconnect ${address}`, data: { disconnect: address } },
      "Disconnect",
    );
    button.addEventListener("click", () => act("disconnect", { central: address }));
    return el("li", {}, el("span", { class: "mono" }, address), button);
  };
  device.addEventListener("status", () => keepChildren(list, device.status.centrals, make, known), { signal });
  return list;
}
