// The control protocol of a device: JSON-RPC 2.0 over a WebSocket that reconnects by itself.

import { token } from "./token.js";

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 3000;

/** Why the device refused a request. */
export class ControlError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    /** The device's hint, if there is one; otherwise undefined. */
    this.hint = data?.hint;
    this.comparison = data?.comparison;
  }

  /** Whether the connection ended before an answer arrived. */
  get isLost() {
    return this.code === ControlError.LOST;
  }

  static LOST = 0;
  static NOT_POSSIBLE = -32002;
}

/** Dispatches `open` and `lost`. */
export class Link extends EventTarget {
  #socket;
  #timer;
  #pause = FIRST_PAUSE;
  #waiting = new Map();
  #lastID = 0;
  #isEnded = false;
  isOpen = false;

  constructor(deviceName) {
    super();
    this.deviceName = deviceName;
    this.#connect();
  }

  /** Asks the device. The answer may take as long as the method takes. */
  call(method, params = {}) {
    if (!this.isOpen) return Promise.reject(lost());
    this.#lastID += 1;
    const id = this.#lastID;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /** Ends it for good. */
  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#socket.close();
    this.#lose();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/control?device=${encodeURIComponent(this.deviceName)}`;
    // The subprotocols are the only header of a WebSocket that a page can set.
    const socket = new WebSocket(address, ["blemu", `token.${token()}`]);
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = (message) => this.#take(message.data);
    socket.onclose = () => this.#closed();
  }

  #opened() {
    if (this.#isEnded) return;
    this.isOpen = true;
    this.dispatchEvent(new Event("open"));
  }

  #take(text) {
    this.#pause = FIRST_PAUSE;
    const answer = parse(text);
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    if (answer.error) waiting.reject(new ControlError(answer.error));
    else waiting.resolve(answer.result);
  }

  #closed() {
    if (this.#isEnded) return;
    this.#lose();
    this.#timer = setTimeout(() => this.#connect(), this.#pause);
    this.#pause = Math.min(this.#pause * 1.6, LONGEST_PAUSE);
  }

  #lose() {
    this.isOpen = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(lost());
    this.dispatchEvent(new Event("lost"));
  }
}

/** The members of an answer. An integer that JavaScript would round is a text, which the device also accepts. */
function parse(text) {
  // Few texts have one, and checking each value takes longer.
  return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

function exact(_, value, context) {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source) ? context.source : value; // an older browser has no source
}

function lost() {
  return new ControlError({ code: ControlError.LOST, message: "The device is not connected." });
}
