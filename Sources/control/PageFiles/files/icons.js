// Small drawings for buttons.

import { svg } from "./dom.js";

const PATHS = {
  expand: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5l4.5-4.5",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  previous: "M10 3L5 8l5 5",
  next: "M6 3l5 5-5 5",
  written: "M2.5 4h11M2.5 8h7M2.5 12h9",
  line: "M2.5 12.5h11",
  full: "M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
