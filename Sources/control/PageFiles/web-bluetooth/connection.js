// A connection of the page to a device, and the device's attributes as they are during it.

const DISCONNECTED = "GATT Server is disconnected. Cannot perform GATT operations. (Re)connect first with `device.gatt.connect`.";

// Codes of ATT (Core Specification, volume 3, part F, section 3.4.1.1).
const INVALID_HANDLE = 0x01;
const INSUFFICIENT_AUTHENTICATION = 0x05;
const INSUFFICIENT_AUTHORIZATION = 0x08;
const INSUFFICIENT_KEY_SIZE = 0x0c;
const INVALID_LENGTH = 0x0d;
const INSUFFICIENT_ENCRYPTION = 0x0f;
const CURED_BY_PAIRING = new Set([INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_KEY_SIZE, INSUFFICIENT_ENCRYPTION]);

/** What a device's refusal is for the page (the specification, "Error handling"). */
function refusal(action, { error, code }) {
  return failure(errorName(action, code), `GATT Error: ${error} (0x${code.toString(16).padStart(2, "0")}).`);
}

function errorName(action, code) {
  if (code === INVALID_HANDLE) return "InvalidStateError";
  if (code === INVALID_LENGTH) return "InvalidModificationError";
  if (code === INSUFFICIENT_AUTHORIZATION || CURED_BY_PAIRING.has(code)) return "SecurityError";
  const isOfApplication = code >= 0x80 && code <= 0x9f;
  return isOfApplication && action === "write" ? "InvalidModificationError" : "NotSupportedError";
}

/** From `connect` to its end. */
class Connection {
  #state = "opening"; // then open and closed, or aborted
  #services = null;
  #objects = new Map();
  #notifying = new Map();

  constructor(device, peripheral) {
    this.device = device;
    this.peripheral = peripheral;
  }

  get isOpen() {
    return this.#state === "open";
  }

  get isOpening() {
    return this.#state === "opening";
  }

  /** Opens it, after an earlier attempt. */
  open(before) {
    this.opened = this.#open(before);
    return this.opened;
  }

  async #open(before) {
    await before?.opened.catch(() => {});
    if (this.isOpening) await this.#connect();
    if (!this.isOpening) throw failure("AbortError", "The page called disconnect() before the device was connected.");
    this.#state = "open";
  }

  async #connect() {
    this.peripheral.connection = this;
    try {
      this.mtu = (await this.peripheral.ask("connect")).mtu;
      if (!this.isOpening) await this.peripheral.ask("disconnect");
    } catch (error) {
      if (!this.isOpening) return;
      this.#state = "closed";
      throw error;
    }
  }

  /** The page ends it. */
  close() {
    if (this.isOpening) this.#state = "aborted";
    if (!this.isOpen) return;
    this.peripheral.ask("disconnect").catch(() => {}); // it has ended anyway
    this.lose();
  }

  /** It has ended. */
  lose() {
    if (!this.isOpen) return;
    this.#state = "closed";
    this.device.dispatchEvent(new Event("gattserverdisconnected", { bubbles: true }));
  }

  /** Asks the device for what it may refuse, if need be after pairing. */
  async request(action, parameters) {
    let answer = await this.#ask(action, parameters);
    if (answer.response === "refused" && CURED_BY_PAIRING.has(answer.code)) {
      const passkey = settings.passkey ?? undefined;
      const paired = await this.#ask("pair", { passkey: passkey && Number(passkey) });
      if (paired.response === "refused") {
        this.lose(); // the device's side ends it
        throw failure("SecurityError", `The device has not paired: ${paired.error}.`);
      }
      answer = await this.#ask(action, parameters);
    }
    if (answer.response === "refused") throw refusal(action, answer);
    return answer;
  }

  async #ask(action, parameters) {
    if (!this.isOpen) throw failure("NetworkError", DISCONNECTED);
    const answer = await this.peripheral.ask(action, parameters);
    if (!this.isOpen) throw failure("NetworkError", "GATT Server disconnected while performing a GATT operation.");
    return answer;
  }

  // Attributes

  /** All services, as the device has them. */
  services() {
    this.#services ??= this.request("discover").then(({ services }) => withFullUUIDs(services));
    return this.#services;
  }

  /** The object for what was found: one for each. */
  object(Type, parent, found) {
    if (!this.#objects.has(found)) this.#objects.set(found, new Type(this, parent, found));
    return this.#objects.get(found);
  }

  // Notifications

  isNotifying(characteristic) {
    return this.#notifying.get(characteristic[FOUND].handle) === characteristic;
  }

  setNotifying(characteristic, isOn) {
    if (isOn) this.#notifying.set(characteristic[FOUND].handle, characteristic);
    else this.#notifying.delete(characteristic[FOUND].handle);
  }

  take({ handle, value }) {
    if (this.isOpen) this.#notifying.get(handle)?.[CHANGE](viewOf(value));
  }
}

function withFullUUIDs(attributes = []) {
  return attributes.map((it) => ({
    ...it,
    uuid: fullUUID(it.uuid),
    characteristics: it.characteristics && withFullUUIDs(it.characteristics),
    descriptors: it.descriptors && withFullUUIDs(it.descriptors),
  }));
}
