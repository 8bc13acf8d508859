// The way to the devices: a WebSocket of blemu web to each, on which the page plays one central.

/** The names of the devices that run. */
async function runningDevices() {
  const answer = await fetch(new URL("/devices", settings.server), { credentials: "omit" }).catch(() => null);
  if (answer?.ok) return (await answer.json()).devices;
  throw failure("NotFoundError", `Bluetooth adapter not available: start 'blemu web --allow-origin ${location.origin}'.`);
}

/** A device by its name in `blemu ps`. It may end and run again. */
class Peripheral {
  static #known = new Map();

  /** Ends all connections, because the page is left. */
  static endAll() {
    for (const peripheral of Peripheral.#known.values()) peripheral.#socket?.close();
  }

  static named(name) {
    if (!Peripheral.#known.has(name)) Peripheral.#known.set(name, new Peripheral(name));
    return Peripheral.#known.get(name);
  }

  /** The open connection, which gets values and its end; or null. */
  connection = null;
  #socket = null;
  #opening;
  #waiting = new Map();
  #lastID = 0;
  #scan = null;
  /** What each of its advertising sets has, by address; null: it is silent. */
  #sets = new Map();
  #lastHeard = null;

  constructor(name) {
    this.name = name;
  }

  /** What it advertises now; null: nothing, or it is not in memory. */
  async advertising() {
    this.#scan ??= this.ask("scan").then(
      (set) => this.#hear(set),
      () => (this.#scan = null),
    );
    await Promise.race([this.#scan, pause(1000)]); // a process that is stopped does not answer
    return [...this.#sets.values()].find(Boolean) ?? null;
  }

  /** Likewise. While the page is connected to a device that then does not advertise, what it advertised before. */
  async advertisingOrConnected() {
    return (await this.advertising()) ?? (this.connection?.isOpen ? this.#lastHeard : null);
  }

  /** Asks the device to do something as this page's central. */
  async ask(action, parameters = {}) {
    if (!this.#socket) this.#open();
    await this.#opening;
    this.#lastID += 1;
    const id = this.#lastID;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const params = { do: action, ...parameters };
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "central", params }));
    });
  }

  #open() {
    const address = new URL(`/central?device=${encodeURIComponent(this.name)}`, settings.server);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address, "blemu");
    this.#socket = socket;
    this.#opening = new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onmessage = (message) => this.#take(JSON.parse(message.data));
      socket.onclose = ({ reason }) => {
        const error = failure("NetworkError", reason || "blemu web does not answer.");
        reject(error);
        this.#lose(error);
      };
    });
    this.#opening.catch(() => {}); // those who wait for it know
  }

  #take({ id, result, error, params }) {
    if (id === undefined) return this.#notice(params);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!error) return waiting?.resolve(result);
    const name = error.code === NOT_POSSIBLE ? "NetworkError" : "NotSupportedError";
    waiting?.reject(failure(name, [error.message, error.data?.hint].filter(Boolean).join(". ")));
  }

  #notice(event) {
    if (event?.event === "advertising") this.#hear(event);
    if (event?.event === "value") this.connection?.take(event);
    if (event?.event === "disconnected") this.connection?.lose();
  }

  #hear({ address, advertising }) {
    this.#sets.set(address, advertising);
    this.#lastHeard = advertising ?? this.#lastHeard;
  }

  #lose(error) {
    this.#socket = this.#scan = null;
    this.#sets.clear();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
    this.connection?.lose();
  }
}

/** The device cannot do this now. */
const NOT_POSSIBLE = -32002;

// A browser may keep a page that is left, with its connections, to show it again.
addEventListener("pagehide", () => Peripheral.endAll());
