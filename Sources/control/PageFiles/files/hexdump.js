// Bytes in hex with their offsets and characters.

import { el } from "./dom.js";
import { bytesOf, hexByte, printable, count } from "./format.js";

const MOST = 4096;

export function hexDump(hex) {
  const bytes = bytesOf(hex);
  const width = matchMedia("(max-width: 560px)").matches ? 8 : 16;
  const lines = [];
  for (let start = 0; start < Math.min(bytes.length, MOST); start += width) lines.push(
    line(start, bytes.slice(start, start + width), width),
  );
  return el(
    "div", { class: "hexdump", data: { hexdump: "" } },
    el(
      "pre",
      { tabindex: 0, "aria-label": `${count(bytes.length, "byte")} in hex` },
      lines,
    ), el("p", { class: "faint" }, count(bytes.length, "byte")),
  );
}

function line(start, bytes, width) {
  const offset = start.toString(16).toUpperCase().padStart(4, "0");
  const digits = bytes.map(hexByte).join(" ").padEnd(3 * width - 1);
  return [
    el("span", { class: "dump-offset" }, offset),
    `  ${digits}  `,
    el("span", { class: "dump-text" }, printable(bytes)),
    "\n",
  ];
}
