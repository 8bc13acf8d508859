// The meaning of an event of the journal, in the marks and words of the log.

/** The filter's groups, with their names. */
export const GROUPS = [
  ["in", "In"], ["out", "Out"], ["read", "Reads"], ["wire", "Wire"], ["link", "Centrals"],
  ["log", "Log"], ["control", "Control"], ["fault", "Faults"], ["warning", "Warnings"],
];

/** By event: its mark, its group and its name; then a function for further words, if the event has any. */
const KINDS = {
  "on-air": ["", "link", "on the air", (it) => `${onAir(it)} as “${it.name}” on ${it.adapter} ${it.address}`],
  "off-air": ["", "link", "off the air", (it) => `off the air${it.reason ? `: ${it.reason}` : ""}`],
  address: ["", "link", "address", (it) => `${it.set ? `set ${it.set} has ` : ""}the address ${it.address}`],
  connected: ["+", "link", "connected", (it) => `connected${parameters(it)}`],
  disconnected: ["−", "link", "disconnected", (it) => `disconnected${it.reason ? ` (${it.reason})` : ""}`],
  subscribed: ["", "link", "subscribed", () => "subscribed"],
  unsubscribed: ["", "link", "unsubscribed", () => "unsubscribed"],
  identified: ["", "link", "identified", (it) => `has the identity address ${it.identity}`],
  paired: ["", "link", "paired", () => "paired"],
  bonded: ["", "link", "bonded", () => "bonded"],
  "pairing-failed": ["!", "link", "pairing failed", (it) => `pairing failed: ${it.reason}`],
  encrypted: ["", "link", "encrypted", (it) => `link ${it.level}, key of ${it["key-size"]} bytes`],
  passkey: ["", "link", "passkey", (it) => `passkey ${it.passkey}`],
  link: ["", "link", "link", (it) => `link${parameters(it)}`],
  read: ["?", "read", "read"],
  write: [">", "in", "write"],
  notify: ["<", "out", "notification"],
  indicate: ["<", "out", "indication"],
  opened: ["", "link", "opened", () => "opened"],
  closed: ["", "link", "closed", (it) => `closed${it.reason ? ` (${it.reason})` : ""}`],
  "channel-in": [">", "in", "in a channel"],
  "channel-out": ["<", "out", "in a channel"],
  discovered: ["", "link", "discovered", (it) => `has ${it.found || "nothing that the device looks for"}`],
  "client-in": [">", "in", "of the central"],
  "client-out": ["<", "out", "to the central"],
  "wire-in": ["]", "wire", "into the wire side"],
  "wire-out": ["[", "wire", "out of the wire side"],
  plain: ["=", "in", "decoded"],
  frame: ["=", "in", "message"],
  wire: ["", "wire", "wire side", wireWords],
  control: ["^", "control", "control", (it) => it.command],
  intercepted: ["^", "control", "answered by a program", (it) => it.message],
  sent: ["", "fault", "sent"],
  received: ["", "fault", "received"],
  fault: ["~", "fault", "fault", faultWords],
  log: ["*", "log", "log", (it) => it.message],
  warning: ["!", "warning", "warning", (it) => it.message],
  error: ["!", "warning", "error", (it) => it.message],
  gap: ["…", "warning", "gap", (it) => it.message],
};

function onAir(it) {
  return it.adapter === "loopback" ? "in memory" : "on the air";
}

/** @returns {{mark, group, kind, place, words, message, fields, value, text, central}} the parts that a row shows. */
export function wordsOf(event) {
  const [mark, group, kind, own] = KINDS[event.event] ?? ["", "log", event.event, () => ""];
  const isOut = event.direction === "out";
  return {
    mark,
    group: group === "in" && isOut ? "out" : event.attribute === "wire" && group !== "fault" ? "wire" : group,
    kind: event.kind ? `${kind} ${event.kind}` : kind,
    place: event.attribute ?? (event.event.startsWith("wire") ? "wire" : ""),
    words: (own ? own(event) : "") + (event.refused ? ` refused: ${event.refused}` : ""),
    message: own ? "" : (event.message ?? ""),
    fields: event.fields ?? null,
    value: event.value ?? "",
    text: event.text ?? "",
    central: event.central ?? "",
  };
}

/** `rate-low=72 rate-high=0`; long fields are cut. */
export function fieldWords(fields) {
  return Object.entries(fields ?? {}).map(([name, value]) => `${name}=${short(String(value))}`).join(" ");
}

function short(text) {
  return text.length > 48 ? `${text.slice(0, 47)}…` : text;
}

function parameters(it) {
  const parts = [
    it["interval-milliseconds"] && `interval ${it["interval-milliseconds"]} ms`,
    it.latency !== undefined && `latency ${it.latency}`,
    it["timeout-milliseconds"] && `timeout ${it["timeout-milliseconds"]} ms`,
    it["tx-phy"], it["rx-phy"] && it["rx-phy"] !== it["tx-phy"] && `from the central ${it["rx-phy"]}`,
    it["tx-octets"] && `packets of ${it["tx-octets"]} bytes`,
    it.rssi !== undefined && `RSSI ${it.rssi} dBm`,
  ].filter(Boolean);
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}

function wireWords(it) {
  switch (it.change) {
    case "said": return `${it.program}: ${it.message}`;
    case "started": return `${it.program} has started (process ${it.process})`;
    case "ended": return `${it.program} has ended (${it.signal ? `signal ${it.signal}` : `status ${it.status}`})`;
    case "baud-rate": return `${it.baud} baud`;
    default: return `${it.change}${it.peer ? ` by ${it.peer}` : ""}`;
  }
}

function faultWords(it) {
  const became = it.became === undefined ? "" : it.became === "" ? " — lost" : ` — became ${it.became}`;
  return `${it.fault}${became}`;
}
