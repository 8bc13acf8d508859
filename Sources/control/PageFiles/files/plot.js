// A small plot of a number over time.

import { svg, el, setText } from "./dom.js";
import { number } from "./format.js";

const WIDTH = 600;
const HEIGHT = 100;
const MARGIN = 8;

export class Plot {
  #line = svg("polyline", { class: "plot-line" });
  #readout = el("span", { class: "plot-readout", "aria-hidden": "true" });
  #drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    this.#line,
  );
  element = el("div", { class: "plot" }, this.#drawing, this.#readout);
  #history;
  #now = 0;

  constructor(history) {
    this.#history = history;
    this.element.addEventListener("pointermove", (event) => this.#point(event));
    this.element.addEventListener("pointerleave", () => setText(this.#readout, ""));
  }

  draw(now) {
    this.#now = now;
    this.#line.setAttribute("points", this.#points(now));
  }

  /** A stair: a value stays until the next. */
  #points(now) {
    const range = this.#history.range;
    if (!range) return "";
    const span = this.#history.span(now);
    const x = (time) => Math.max(0, WIDTH * (1 - (now - time) / span)).toFixed(1);
    const scale = (HEIGHT - 2 * MARGIN) / (range.greatest - range.least || 1);
    const bottom = range.greatest === range.least ? HEIGHT / 2 : HEIGHT - MARGIN;
    const y = (value) => (bottom - scale * (value - range.least)).toFixed(1);
    const points = [];
    let last;
    for (const { time, value } of this.#history.changes) {
      if (last !== undefined) points.push(`${x(time)},${y(last)}`);
      points.push(`${x(time)},${y(value)}`);
      last = value;
    }
    points.push(`${WIDTH},${y(last)}`);
    return points.join(" ");
  }

  #point(event) {
    const box = this.element.getBoundingClientRect();
    const ago = this.#history.span(this.#now) * (1 - (event.clientX - box.left) / box.width);
    const value = this.#history.at(this.#now - ago);
    setText(this.#readout, value === undefined ? "" : `${number(value)}, ${Math.round(ago / 1000)} s ago`);
  }
}
