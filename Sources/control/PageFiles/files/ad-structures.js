// Takes advertising packets apart (Core Specification, Vol 3 Part C 11; Supplement, Part A).

import { hexByte } from "./format.js";
import { serviceName, companyName, appearanceName } from "./assigned-names.js";

/**
 * The AD structures of a packet.
 * @param {number[]} bytes
 * @returns {{start: number, bytes: number[], name: string, value: string, isBroken: boolean}[]}
 */
export function structuresOf(bytes) {
  const structures = [];
  let start = 0;
  while (start < bytes.length) {
    const length = bytes[start];
    if (length === 0) break;
    const part = bytes.slice(start, start + 1 + length);
    const [name, decode] = TYPES[part[1]] ?? ["AD type", hex];
    const isBroken = part.length < 1 + length;
    structures.push({ start, bytes: part, name, value: isBroken ? "ends too early" : decode(part.slice(2)), isBroken });
    start += 1 + length;
  }
  return structures;
}

const FLAGS = [
  "LE Limited Discoverable Mode",
  "LE General Discoverable Mode",
  "BR/EDR Not Supported",
  "LE and BR/EDR Controller",
  "LE and BR/EDR Host",
];

function flags(value) {
  const names = FLAGS.filter((_, bit) => (value[0] ?? 0) & (1 << bit));
  return names.length > 0 ? names.join(", ") : "none";
}

const text = (value) => new TextDecoder().decode(new Uint8Array(value));
const hex = (value) => value.map(hexByte).join(" ");
const signed = (byte) => (byte > 127 ? byte - 256 : byte);
const little16 = (value, at = 0) => (value[at] ?? 0) | ((value[at + 1] ?? 0) << 8);

/** A UUID, sent with its least significant byte first. */
function uuid(value) {
  const digits = value.toReversed().map(hexByte).join("");
  return digits.length === 32 ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") : digits;
}

function named(identifier) {
  const name = serviceName(identifier);
  return name ? `${identifier} ${name}` : identifier;
}

function uuids(size) {
  return (value) => {
    const list = [];
    for (let start = 0; start + size <= value.length; start += size) list.push(
      named(uuid(value.slice(start, start + size))),
    );
    return list.join(", ") || "none";
  };
}

function serviceData(size) {
  return (value) => `${named(uuid(value.slice(0, size)))}: ${hex(value.slice(size)) || "no bytes"}`;
}

function manufacturerData(value) {
  const company = uuid(value.slice(0, 2));
  const name = companyName(company);
  return `company ${company}${name ? ` ${name}` : ""}: ${hex(value.slice(2)) || "no bytes"}`;
}

function appearance(value) {
  const number = little16(value);
  const name = appearanceName(number);
  return `0x${number.toString(16).toUpperCase().padStart(4, "0")}${name ? ` ${name}` : ""}`;
}

function intervalRange(value) {
  const milliseconds = (at) => `${little16(value, at) * 1.25} ms`;
  return `${milliseconds(0)} to ${milliseconds(2)}`;
}

const TYPES = {
  0x01: ["Flags", flags],
  0x02: [
    "Incomplete List of 16-bit Service UUIDs",
    uuids(2),
  ], 0x03: ["Complete List of 16-bit Service UUIDs", uuids(2)],
  0x04: [
    "Incomplete List of 32-bit Service UUIDs",
    uuids(4),
  ], 0x05: ["Complete List of 32-bit Service UUIDs", uuids(4)],
  0x06: [
    "Incomplete List of 128-bit Service UUIDs",
    uuids(16),
  ], 0x07: ["Complete List of 128-bit Service UUIDs", uuids(16)],
  0x08: [
    "Shortened Local Name",
    (value) => `“${text(value)}”`,
  ], 0x09: ["Complete Local Name", (value) => `“${text(value)}”`],
  0x0a: ["Tx Power Level", (value) => `${signed(value[0] ?? 0)} dBm`],
  0x12: ["Peripheral Connection Interval Range", intervalRange],
  0x14: ["16-bit Service Solicitation UUIDs", uuids(2)], 0x15: ["128-bit Service Solicitation UUIDs", uuids(16)],
  0x16: ["Service Data, 16-bit UUID", serviceData(2)], 0x20: ["Service Data, 32-bit UUID", serviceData(4)], 0x21: [
    "Service Data, 128-bit UUID",
    serviceData(16),
  ],
  0x19: ["Appearance", appearance], 0x1a: ["Advertising Interval", (value) => `${little16(value) * 0.625} ms`],
  0x1b: ["LE Bluetooth Device Address", hex], 0x24: ["URI", text], 0xff: [
    "Manufacturer Specific Data",
    manufacturerData,
  ],
};
