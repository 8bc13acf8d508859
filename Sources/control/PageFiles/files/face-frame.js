// Shows the face of a device, or a drawn one if it has none.

import { Face } from "./face.js";
import { request } from "./token.js";
import { PlainFace } from "./plain-face.js";
import { el } from "./dom.js";

/** The status of the server's answer (HTTP). */
const TOO_LARGE = 413;

/** Keeps a face in `element` up to date with its device. */
export class FaceFrame {
  element = el("div", { class: "face", data: { face: "" } });
  #face = null;
  #device;
  #source;
  #signal;
  /** How often the device has sent values since the face appeared. */
  #looks = 0;

  /**
   * @param {import("./running.js").RunningDevice} device
   * @param {AbortSignal} signal ends it
   * @param {(error: Error) => void} onProblem told when an operated control fails
   */
  constructor(device, signal, onProblem = () => {}) {
    this.#device = device;
    this.#signal = signal;
    this.onProblem = onProblem;
    device.addEventListener("description", () => this.#check(), { signal });
    device.addEventListener("restarted", () => (this.#source = undefined), { signal });
    for (const type of ["values", "status", "state"]) device.addEventListener(type, () => this.#draw(), { signal });
    device.addEventListener("values", () => this.#settle(), { signal });
    if (device.description) this.#check();
  }

  /** Redraws if the device has another face, or its plain face needs other values. */
  async #check() {
    const { description } = this.#device;
    const source = description.face ?? PlainFace.telling(description).join(" ");
    if (source === this.#source) return;
    this.#source = source;
    const face = (description.face && (await this.#load())) || new PlainFace(description);
    if (!this.#signal.aborted && source === this.#source) this.#show(face);
  }

  /** @returns the face from the server; null if it has none, or one that cannot be drawn. */
  async #load() {
    try {
      const text = await this.#fetch();
      return text === null ? null : new Face(text, { controls: this.#device.description.controls });
    } catch (error) {
      this.onProblem(new Error(`The face cannot be drawn: ${error.message}`));
      return null;
    }
  }

  /** @returns the text; null if there is none. @throws {Error} if it is too large */
  async #fetch() {
    const { status, text } = await this.#ask();
    if (status === TOO_LARGE) throw new Error(text.trim());
    return status === 200 ? text : null;
  }

  async #ask() {
    try {
      const answer = await request(`/face?device=${encodeURIComponent(this.#device.name)}`, this.#signal);
      return { status: answer.status, text: await answer.text() };
    } catch {
      return {};
    }
  }

  #show(face) {
    if (this.#face) this.#device.unwant(this.#face.expressions);
    this.#face = face;
    face.onpress = (control) => this.#press(control);
    this.element.replaceChildren(face.element);
    this.element.dataset.face = face instanceof PlainFace ? "plain" : "own";
    this.element.classList.add("pending");
    this.#looks = 0;
    this.#device.want(face.expressions);
    this.#draw();
    this.#settle();
  }

  #draw() {
    const { values, state, status } = this.#device;
    this.#face?.update(values, state === "running" ? status.centrals : []);
  }

  #settle() {
    if (!this.#face) return;
    const { values } = this.#device;
    this.#looks += 1;
    // The first values may be an answer to an earlier question. A face without them would flash up empty.
    const hasValues = this.#face.expressions.every((it) => Object.hasOwn(values, it));
    if (hasValues || this.#looks > 2) this.element.classList.remove("pending");
  }

  async #press(control) {
    try {
      await this.#device.call("press", { control });
    } catch (error) {
      this.onProblem(error);
    }
  }
}
