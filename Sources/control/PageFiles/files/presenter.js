// The presenter's view: the face as large as the window, and below it what centrals write.

import { el, setText } from "./dom.js";
import { RunningDevice } from "./running.js";
import { FaceFrame } from "./face-frame.js";
import { stateWords } from "./card.js";
import { runningDevices } from "./devices.js";
import { onKeys } from "./keys.js";
import { count } from "./format.js";
import { icon } from "./icons.js";
import { WrittenLines } from "./written.js";

export function showPresenter(root, { name, signal }) {
  const device = new RunningDevice(name, { readsEvents: true });
  signal.addEventListener("abort", () => device.end());
  const problem = el("span", { class: "problem-line" });
  const frame = new FaceFrame(device, signal, (error) => setText(problem, error.message));
  const line = stateLine(device, signal, problem);
  const written = writtenLines(device, signal);
  const view = el(
    "div",
    { class: "presenter", data: { device: name } },
    el("h1", { class: "unseen" }, name),
    el("div", { class: "stage" }, frame.element),
    written,
    buttons(name, line, written, signal),
    line,
  );
  device.addEventListener("state", () => (view.dataset.state = device.state), { signal });
  root.append(view);
  hidePointer(view, signal);
}

/** What centrals write, at first only for a device with a wire side: its face shows nothing of it. */
function writtenLines(device, signal) {
  const lines = new WrittenLines();
  const { element } = lines;
  element.hidden = true;
  device.addEventListener("description", () => (element.hidden = !device.description.wire), { signal, once: true });
  device.addEventListener("events", ({ detail }) => lines.take(detail.events), { signal });
  device.addEventListener("restarted", () => lines.forget(), { signal });
  return element;
}

function stateLine(device, signal, problem) {
  const lamp = el("span", { class: "lamp", "aria-hidden": "true" });
  const text = el("span", {}, "…");
  const update = () => {
    const { state, status } = device;
    lamp.dataset.lamp = state === "running" && status?.["on-air"] ? "on" : "off";
    setText(
      text,
      [
        device.name,
        status ? stateWords(state, status) : stateWords(state),
        state === "running" && status ? count(status.centrals.length, "central") : "",
      ].filter(Boolean).join(" · "),
    );
  };
  for (const type of ["state", "status"]) device.addEventListener(type, update, { signal });
  return el("p", { class: "state-line", id: "state-line" }, lamp, text, problem);
}

function buttons(name, line, written, signal) {
  const full = () => void toggleFullScreen();
  const toggleLine = () => (line.hidden = !line.hidden);
  const toggleWritten = () => (written.hidden = !written.hidden);
  const back = () => (location.hash = `#/${encodeURIComponent(name)}`);
  const go = (step) => goTo(name, step, signal);
  const button = (label, symbol, action) => {
    const element = el(
      "button",
      { type: "button", "aria-label": label, title: label, data: { present: label.toLowerCase() } },
      icon(symbol),
    );
    element.addEventListener("click", action);
    return element;
  };
  onKeys({ f: full, s: toggleLine, w: toggleWritten, Escape: back, ArrowRight: () => go(1), ArrowLeft: () => go(-1) }, signal);
  signal.addEventListener("abort", () => {
    if (document.fullscreenElement && !location.hash.endsWith("/present")) document.exitFullscreen();
  });
  return el(
    "div",
    { class: "presenter-tools", role: "toolbar", "aria-label": "Presenter" },
    button("Previous device", "previous", () => go(-1)),
    button("Next device", "next", () => go(1)),
    button("What centrals write (w)", "written", toggleWritten),
    button("State line (s)", "line", toggleLine),
    button("Full screen (f)", "full", full),
    button("Back", "close", back),
  );
}

async function toggleFullScreen() {
  if (document.fullscreenElement) return document.exitFullscreen();
  try {
    await document.documentElement.requestFullscreen();
  } catch {
    // The browser does not allow it: the window keeps its size.
  }
}

async function goTo(name, step, signal) {
  const names = await runningDevices(signal);
  if (!names || names.length === 0 || signal.aborted) return;
  const present = names.indexOf(name);
  const next = present < 0 ? 0 : (present + step + names.length) % names.length;
  location.hash = `#/${encodeURIComponent(names[next])}/present`;
}

/** The pointer and the buttons disappear after three seconds without a movement. */
function hidePointer(view, signal) {
  let timer;
  const wake = () => {
    view.classList.remove("idle");
    clearTimeout(timer);
    timer = setTimeout(() => view.classList.add("idle"), 3000);
  };
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"]) {
    document.addEventListener(type, wake, { signal });
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
  wake();
}
