// Faces: SVGs whose texts, colours and shapes follow the values of a running device.

import { Drawing } from "./face-drawing.js";
import { isSafeValue } from "./face-style.js";
import { isMissing, isTrue, Template } from "./face-template.js";

/** The attributes that may follow values, as in `data-fill="rgb({red},{green},{blue})"`. */
const BOUND = [
  "fill", "stroke", "stop-color", "flood-color", "color", "opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "transform",
  "x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "x1", "y1", "x2", "y2", "d", "points", "offset", "stdDeviation",
  "stroke-width", "stroke-dasharray", "stroke-dashoffset", "font-size", "gradientTransform",
];

const BASE = `
  :host { display: block; width: 100%; height: 100%; min-width: 0; min-height: 0; pointer-events: none; }
  svg { display: block; width: 100%; height: 100%; overflow: hidden; }
  text { user-select: none; white-space: pre; }
  [data-if] { transition: opacity 0.2s, visibility 0.2s; }
  .is-off { opacity: 0 !important; visibility: hidden !important; pointer-events: none !important; }
  .is-off * { visibility: hidden !important; }
  .follows {
    transition-property: fill, stroke, stop-color, flood-color, opacity, fill-opacity, stroke-opacity, stop-opacity, transform, x, y,
      width, height, r, rx, ry, cx, cy, stroke-width, stroke-dashoffset, visibility;
    transition-duration: 0.3s;
  }
  [role="button"] { pointer-events: auto; cursor: pointer; outline: none; -webkit-tap-highlight-color: transparent; }
  [role="button"]:hover { filter: brightness(1.06); }
  [role="button"]:active { filter: brightness(0.88); }
  [role="button"]:focus-visible { outline: 3px solid #2f7cf6; outline-offset: 3px; }
  @media (prefers-reduced-motion: reduce) {
    * { transition-duration: 0s !important; animation: none !important; }
  }
`;

/**
 * The face of a device.
 *
 * `element` is a `div` with a shadow root, which holds the drawing. So the ids and the styles of two faces on one page do not
 * clash, and those of the page do not reach into a face. It fills its place; where that has no height, it has the proportions of
 * the drawing. Only the parts that a person can press take clicks: all others go to the element below.
 *
 *     const face = new Face(svgText, { controls: description.controls });
 *     face.onpress = (control) => press(control);
 *     document.body.append(face.element);
 *     face.update((await ask("get", { names: face.expressions })).values);
 */
export class Face {
  /** The element to put into the document. */
  element = document.createElement("div");
  /** The expressions whose values it needs. */
  expressions = [];
  /** The parts of the drawing that a face must not have, in words. */
  dropped = [];
  /** Called with the name of a control when a person operates it. */
  onpress = () => {};

  #bindings = [];
  #title;
  #texts = [];
  /** Texts that have changed, with the width of their places. */
  #unfitted = new Map();

  /**
   * @param {string} text the SVG
   * @param {{name: string, label: string, kind: string, set: string}[]} [options.controls] the controls of the device, as `describe`
   *   gives them, with which parts of the face are named
   * @throws {Error} if the SVG or a template in it is not correct
   */
  constructor(text, { controls = [] } = {}) {
    const drawing = new Drawing(text);
    this.dropped = drawing.dropped;
    this.#show(drawing);
    for (const element of [drawing.root, ...drawing.root.querySelectorAll("*")]) this.#bind(element, controls);
    this.#name(drawing.root);
    this.expressions = [...new Set(this.#bindings.flatMap((binding) => binding.expressions))];
    this.update({});
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  /**
   * Shows the values of all expressions. One without a value is a dash in texts; attributes and what is shown are then as in the
   * SVG. Touches only what has changed.
   *
   * @param {Object<string, unknown>} values
   */
  update(values) {
    for (const binding of this.#bindings) binding.show(values);
    this.#fit();
    this.#tell();
  }

  #show({ root, sheets }) {
    const shadow = this.element.attachShadow({ mode: "open" });
    const base = new CSSStyleSheet();
    base.replaceSync(BASE);
    shadow.adoptedStyleSheets = [...sheets, base];
    this.element.className = "face-drawing";
    this.element.style.setProperty("contain", "content");
    const box = root.viewBox.baseVal;
    if (box?.width > 0 && box.height > 0) this.element.style.setProperty("aspect-ratio", `${box.width} / ${box.height}`);
    shadow.append(root);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) root.pauseAnimations();
  }

  // Bindings

  #bind(element, controls) {
    const { text, if: condition, press, fit } = element.dataset ?? {};
    if (text !== undefined) this.#bindText(element, text, Number(fit ?? 0));
    if (condition !== undefined) this.#bindVisibility(element, condition);
    for (const name of BOUND) {
      if (element.hasAttribute(`data-${name}`)) this.#bindAttribute(element, name);
    }
    if (press !== undefined) this.#bindControl(element, press, controls);
  }

  #bindText(element, text, width) {
    const template = templateOf(element, "text", text);
    this.#texts.push(element);
    this.#follow(template.expressions, (values) => template.fill(values), (shown) => {
      element.textContent = shown;
      if (width > 0) this.#unfitted.set(element, width);
    });
  }

  #bindVisibility(element, text) {
    const condition = text.trim();
    const isOffInFile = element.getAttribute("display") === "none";
    element.removeAttribute("display");
    const isOff = (values) => (isMissing(values[condition]) ? isOffInFile : !isTrue(values[condition]));
    this.#follow([condition], isOff, (off) => {
      element.classList.toggle("is-off", off);
      if (off) element.setAttribute("aria-hidden", "true");
      else element.removeAttribute("aria-hidden");
    });
  }

  #bindAttribute(element, name) {
    const template = templateOf(element, name, element.getAttribute(`data-${name}`));
    const original = element.getAttribute(name);
    element.classList.add("follows");
    this.#follow(template.expressions, (values) => template.fillAll(values), (value) => {
      const shown = value !== null && isSafeValue(value) ? value : original;
      if (shown === null) element.removeAttribute(name);
      else element.setAttribute(name, shown);
    });
  }

  /** Calls `show` with the result of `compute` whenever it changes. */
  #follow(expressions, compute, show) {
    let shown;
    this.#bindings.push({
      expressions,
      show: (values) => {
        const next = compute(values);
        if (next === shown) return;
        shown = next;
        show(next);
      },
    });
  }

  /** Squeezes texts that are wider than their places, once they can be measured. */
  #fit() {
    if (!this.element.isConnected || this.element.clientWidth === 0) return;
    for (const [element, width] of this.#unfitted) fit(element, width);
    this.#unfitted.clear();
  }

  // Controls

  #bindControl(element, name, controls) {
    const control = controls.find((each) => each.name === name) ?? { name };
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", control.label ?? element.getAttribute("aria-label") ?? name);
    element.addEventListener("click", () => this.onpress(name));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) this.onpress(name);
    });
    if (control.kind === "switch" && control.set) this.#bindPressed(element, control.set);
  }

  #bindPressed(element, value) {
    this.#follow([value], (values) => isTrue(values[value]), (on) => element.setAttribute("aria-pressed", String(on)));
  }

  // For screen readers

  /** Gives the face its title as a name; a screen reader reads a face without controls as one picture. */
  #name(root) {
    const title = ownChild(root, "title");
    const description = ownChild(root, "desc");
    this.#title = title?.textContent.trim() || "The face of the device";
    if (description) this.element.setAttribute("aria-description", description.textContent.trim());
    title?.remove();
    description?.remove();
    this.element.setAttribute("role", root.querySelector("[role=button]") ? "group" : "img");
    this.element.setAttribute("aria-label", this.#title);
  }

  /** Gives the picture its content as its name: "Belt: 72, bpm". */
  #tell() {
    if (this.element.getAttribute("role") !== "img") return;
    const texts = this.#texts.filter((text) => !text.closest(".is-off")).map((text) => text.textContent.trim()).filter(Boolean);
    const name = texts.length > 0 ? `${this.#title}: ${texts.join(", ")}` : this.#title;
    if (this.element.getAttribute("aria-label") !== name) this.element.setAttribute("aria-label", name);
  }
}

function ownChild(root, name) {
  return [...root.children].find((child) => child.localName === name);
}

function templateOf(element, name, text) {
  try {
    return new Template(text);
  } catch (error) {
    const place = element.id ? `${element.localName} #${element.id}` : element.localName;
    throw new Error(`data-${name}="${text}" of ${place}: ${error.message}`);
  }
}

/** Squeezes a text that is wider than its place. */
function fit(text, width) {
  text.removeAttribute("textLength");
  if (text.getComputedTextLength() <= width) return;
  text.setAttribute("textLength", width);
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}
