// A card of the stand: a device's face and state.

import { el, setText } from "./dom.js";
import { isServerThere } from "./devices.js";
import { RunningDevice } from "./running.js";
import { FaceFrame } from "./face-frame.js";
import { duration, rate, count } from "./format.js";
import { icon } from "./icons.js";

export class DeviceCard {
  #controller = new AbortController();
  #lamp = el("span", { class: "lamp", "aria-hidden": "true" });
  #state = el("span", { class: "card-state" }, "…");
  #definition = el("p", { class: "card-definition" }, "…");
  #place = el("p", { class: "card-place mono" }, "…");
  #centrals = fact("centrals");
  #in = fact("in/s");
  #out = fact("out/s");
  #faults = fact("faults");
  #uptime = el("span", { class: "card-uptime" });

  constructor(name, signal) {
    this.device = new RunningDevice(name);
    signal.addEventListener("abort", () => this.end(), { signal: this.#controller.signal });
    this.element = this.#build(name);
    const on = { signal: this.#controller.signal };
    for (const type of ["state", "status", "faults"]) this.device.addEventListener(type, () => this.#update(), on);
    document.addEventListener("server-state", () => this.#update(), on);
  }

  end() {
    this.#controller.abort();
    this.device.end();
  }

  #build(name) {
    const frame = new FaceFrame(this.device, this.#controller.signal);
    const address = `#/${encodeURIComponent(name)}`;
    return el(
      "li", { class: "card", data: { device: name, state: "connecting" } },
      el("div", { class: "card-face", inert: true }, frame.element),
      el(
        "div", { class: "card-body" },
        el("h2", {}, el("a", { href: address, class: "card-link" }, name)),
        this.#definition, this.#place,
        el("p", { class: "card-status" }, this.#lamp, this.#state, this.#uptime),
      ),
      el("dl", { class: "facts" }, [this.#centrals, this.#in, this.#out, this.#faults].map((it) => it.element)),
      el(
        "a",
        {
          href: `${address}/present`,
          class: "card-present",
          "aria-label": `Present ${name}`,
          title: "Presenter's view",
        },
        icon("expand"),
      ),
    );
  }

  #update() {
    const { state, status, rates, faults } = this.device;
    this.element.dataset.state = state;
    if (!status) return setText(this.#state, stateWords(state));
    setText(this.#definition, status.definition);
    setText(this.#place, [status.adapter ?? status.transport, status.address].filter(Boolean).join(" "));
    setText(this.#state, stateWords(state, status));
    this.#lamp.dataset.lamp = state === "running" && status["on-air"] ? "on" : "off";
    setText(this.#uptime, state === "running" ? duration(status.milliseconds) : "");
    this.#centrals.set(state === "running" ? status.centrals.length : "–");
    this.#in.set(state === "running" ? rate(rates.in) : "–");
    this.#out.set(state === "running" ? rate(rates.out) : "–");
    const active = faults.filter((fault) => !fault.spent).length;
    this.#faults.set(state === "running" ? active : "–");
    this.#faults.element.dataset.alert = state === "running" && active > 0 ? "on" : "";
    this.#centrals.element.title = count(status.centrals.length, "central");
  }
}

/** The state of a device, in words. */
export function stateWords(state, status) {
  if (state === "ended") return !isServerThere ? "no connection" : status ? "ended" : "not running";
  if (state === "connecting") return "connecting…";
  if (state === "silent") return "does not answer";
  if (status.transport === "loopback") return status["on-air"] ? "in memory" : "in memory, switched off";
  return status["on-air"] ? "on the air" : "not on the air";
}

function fact(label) {
  const value = el("dd", {}, "–");
  return { element: el("div", {}, el("dt", {}, label), value), set: (text) => setText(value, String(text)) };
}
