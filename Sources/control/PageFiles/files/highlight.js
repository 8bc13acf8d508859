// Marks the finds of a search in a text.

import { el } from "./dom.js";

/** @returns {(Node|string)[]} the text, with each find in a `mark`. */
export function highlighted(text, pattern) {
  if (!pattern || text === "") return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === "") continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(el("mark", {}, match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** A matcher for a search in texts: literally, and as bytes in hex. */
export function patternFor(search) {
  const text = search.trim();
  if (text === "") return null;
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const digits = text.replaceAll(/\s/g, "");
  const isHex = /^([0-9a-f]{2})+$/i.test(digits);
  return new RegExp(isHex ? `${literal}|${digits.match(/../g).join(" ")}` : literal, "gi");
}
