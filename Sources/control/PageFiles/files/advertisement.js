// The advertisement, to the byte.

import { el } from "./dom.js";
import { panel } from "./panel.js";
import { bytesOf, hexByte } from "./format.js";
import { structuresOf } from "./ad-structures.js";

/** The bytes of a legacy packet. */
const LEGACY = 31;
const TONES = 6;

export function advertisementPanel(device, signal) {
  const body = el("div", { class: "advertisement" });
  let drawn = "";
  const update = () => {
    const { description } = device;
    if (!description) return;
    const { advertises, centrals } = description;
    const packets = [description["advertising-data"], description["scan-response"]];
    const key = JSON.stringify([packets, advertises, centrals.length]);
    if (key === drawn) return;
    drawn = key;
    body.replaceChildren(...contentOf(description));
  };
  device.addEventListener("description", update, { signal });
  linkParts(body);
  return { element: panel("advertisement", "Advertisement", body), update };
}

function contentOf(description) {
  const { advertises, centrals } = description;
  const data = description["advertising-data"];
  const reason = centrals.length > 0 ? ": a central is connected" : "";
  if (!advertises) return [note(`The device does not advertise now${reason}.`)];
  const fields = fieldList(advertises);
  if (data === undefined) return [note("The packets are unknown. The device advertises:"), fields];
  const isInMemory = description.transport === "loopback";
  return [
    ...(isInMemory ? [note("A device in memory sends no packets. With exact, they would be these:")] : []),
    packet("Advertising data", data),
    packet("Scan response", description["scan-response"] ?? ""),
    el("h3", {}, "Fields"),
    fields,
  ];
}

function note(sentence) {
  return el("p", { class: "note" }, sentence);
}

function fieldList(advertises) {
  const field = (text) => {
    const [name, ...rest] = text.split("=");
    return el("div", {}, el("dt", {}, name), el("dd", { class: "mono" }, rest.join("=")));
  };
  return el("dl", { class: "ad-fields" }, advertises.map(field));
}

function packet(title, hex) {
  const bytes = bytesOf(hex);
  const structures = structuresOf(bytes);
  const free = LEGACY - bytes.length;
  const size = free >= 0 ? `${bytes.length} of ${LEGACY} bytes, ${free} free` : `${bytes.length} bytes, extended`;
  return el(
    "section", { class: "packet", data: { packet: title } },
    el("div", { class: "packet-head" }, el("h3", {}, title), el("span", { class: "faint" }, size)),
    scale(structures, bytes.length),
    el("div", { class: "structures" }, structures.map(block)),
    structures.length === 0 ? el("p", { class: "faint" }, "Empty.") : null,
  );
}

/** A bar of the packet's bytes and its free space. */
function scale(structures, size) {
  const whole = Math.max(LEGACY, size);
  const part = (count, properties) => {
    const element = el("span", properties);
    element.style.flexGrow = count;
    return element;
  };
  return el(
    "div", { class: "scale", "aria-hidden": "true" },
    structures.map(
      (it, index) => part(it.bytes.length, { class: `scale-part tone-${index % TONES}`, data: { part: index } }),
    ),
    size < whole ? part(whole - size, { class: "scale-free" }) : null,
  );
}

/** A structure: its bytes, then their meaning. */
function block(structure, index) {
  const { start, bytes, name, value } = structure;
  const cell = (byte, offset) => el(
    "span",
    { class: `cell ${role(offset)}`, title: `byte ${start + offset}: ${ROLES[role(offset)]}` },
    hexByte(byte),
  );
  return el(
    "div", { class: `structure tone-${index % TONES}`, tabindex: 0, data: { part: index } },
    el("div", { class: "cells", "aria-label": `${bytes.length} bytes from ${start}` }, bytes.map(cell)),
    el("div", { class: "structure-words" }, el("strong", {}, name), el("span", {}, value)),
    el(
      "span",
      { class: "structure-place faint" },
      bytes.length === 1 ? `byte ${start}` : `bytes ${start}–${start + bytes.length - 1}`,
    ),
  );
}

const ROLES = { length: "length", type: "AD type", data: "data" };

function role(offset) {
  return offset === 0 ? "length" : offset === 1 ? "type" : "data";
}

/** The part under the pointer or with the focus lights up in the bar and in the blocks. */
function linkParts(body) {
  const light = (event, isOn) => {
    const part = event.target.closest?.("[data-part]");
    const place = part?.closest(".packet");
    if (!place) return;
    for (const it of place.querySelectorAll(`[data-part="${part.dataset.part}"]`)) it.classList.toggle("lit", isOn);
  };
  for (const type of ["pointerover", "focusin"]) body.addEventListener(type, (event) => light(event, true));
  for (const type of ["pointerout", "focusout"]) body.addEventListener(type, (event) => light(event, false));
}
