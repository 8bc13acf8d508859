// The format of times, numbers and values.

/** `3 s`, `4 min 10 s`, `2 h 5 min`. */
export function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `12:01:03.221`, in the local time of day. */
export function clock(time) {
  const date = new Date(time);
  const two = (number) => String(number).padStart(2, "0");
  const thousandths = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${thousandths}`;
}

/** A number in few digits: at most six after the point. */
export function number(value) {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toFixed(6)));
}

/** Any value of the control protocol as text. */
export function valueText(value) {
  if (value === undefined || value === null) return "–";
  return typeof value === "number" ? number(value) : String(value);
}

/** A rate: `0`, `0.4`, `12`, `2.0k` a second. */
export function rate(perSecond) {
  if (perSecond === 0) return "0";
  if (perSecond < 10) return perSecond.toFixed(1);
  if (perSecond < 1000) return String(Math.round(perSecond));
  return `${(perSecond / 1000).toFixed(1)}k`;
}

/** The bytes of a text in hex, with spaces or without. */
export function bytesOf(hex) {
  return (hex.match(/[0-9A-Fa-f]{2}/g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

/** A byte as two digits. */
export function hexByte(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/** Bytes as text: printable ASCII, and a dot for everything else. */
export function printable(bytes) {
  return bytes.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
}

/** Whether all bytes are text, as in the log: printable ASCII, tabs and ends of lines. */
export function isText(bytes) {
  return bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** `1 event`, `3 events`. */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
