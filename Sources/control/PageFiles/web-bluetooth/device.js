// A device that the page may use, and its GATT server.

const GRANT = Symbol("grant");
const FORGET = Symbol("forget");

class BluetoothRemoteGATTServer {
  #device;
  #connection = null;

  constructor(device) {
    this.#device = device;
  }

  get device() {
    return this.#device;
  }

  get connected() {
    return this.#connection?.isOpen ?? false;
  }

  async connect() {
    if (!this.#device.gatt) throw failure("NetworkError", "The page has forgotten this device.");
    if (this.connected) return this;
    if (!this.#connection?.isOpening) {
      const before = this.#connection;
      this.#connection = new Connection(this.#device, Peripheral.named(this.#device[GRANT].peripheral));
      this.#connection.open(before);
    }
    await this.#connection.opened;
    return this;
  }

  disconnect() {
    this.#connection?.close();
  }

  async getPrimaryService(name) {
    return (await this.#services(BluetoothUUID.getService(name)))[0];
  }

  async getPrimaryServices(name) {
    return this.#services(name === undefined ? name : BluetoothUUID.getService(name));
  }

  async #services(uuid) {
    const allowed = new Set(this.#device[GRANT].services);
    if (allowed.size === 0 || (uuid !== undefined && !allowed.has(uuid))) {
      throw failure(
        "SecurityError",
        `Origin is not allowed to access ${uuid ? `the service ${uuid}` : "any service"}. ` +
          "Tip: Add the service UUID to 'optionalServices' in requestDevice() options.",
      );
    }
    if (!this.connected) throw failure("NetworkError", DISCONNECTED);
    const connection = this.#connection;
    const primary = (await connection.services()).filter((it) => it.primary);
    return childrenOf(connection, null, { Type: BluetoothRemoteGATTService, noun: "service" }, primary, uuid, allowed);
  }
}

class BluetoothDevice extends EventTarget {
  #gatt = new BluetoothRemoteGATTServer(this);
  #isForgotten = false;
  #watching = null;

  constructor(grant, forget) {
    super();
    this[GRANT] = grant;
    this[FORGET] = forget;
  }

  get id() {
    return this[GRANT].id;
  }

  get name() {
    return this[GRANT].name;
  }

  get gatt() {
    return this.#isForgotten ? null : this.#gatt;
  }

  async forget() {
    this.#watching?.abort();
    this.#gatt.disconnect();
    this.#isForgotten = true;
    this[FORGET](this);
  }

  // Advertisements

  get watchingAdvertisements() {
    return this.#watching !== null;
  }

  async watchAdvertisements({ signal } = {}) {
    signal?.throwIfAborted();
    if (this.#watching) return;
    const watching = (this.#watching = new AbortController());
    watching.signal.addEventListener("abort", () => (this.#watching = null));
    signal?.addEventListener("abort", () => watching.abort());
    this.#watch(watching.signal);
  }

  /** Advertises to the page as often as the device does to the world, whether it has changed or not. */
  async #watch(signal) {
    const peripheral = Peripheral.named(this[GRANT].peripheral);
    for (;;) {
      const advertising = await peripheral.advertising();
      if (signal.aborted) return;
      if (advertising) this.dispatchEvent(new BluetoothAdvertisingEvent("advertisementreceived", heard(this, advertising)));
      await pause(Math.max(advertising?.interval ?? 1000, 20));
    }
  }
}

addHandlers(BluetoothDevice, "gattserverdisconnected", "advertisementreceived");

class BluetoothAdvertisingEvent extends Event {
  constructor(type, { device, uuids = [], name, appearance, txPower, rssi, manufacturerData, serviceData, ...init }) {
    super(type, init);
    const members = {
      device,
      uuids: Object.freeze([...uuids]),
      name: name ?? null,
      appearance: appearance ?? null,
      txPower: txPower ?? null,
      rssi: rssi ?? null,
      manufacturerData: new Map(manufacturerData),
      serviceData: new Map(serviceData),
    };
    for (const [member, value] of Object.entries(members)) Object.defineProperty(this, member, { value, enumerable: true });
  }
}

/** What the page may know of an advertisement. */
function heard(device, advertising) {
  const { services, companies } = device[GRANT];
  const views = (data, isAllowed) =>
    [...data].filter(isAllowed).map(([key, bytes]) => [key, new DataView(bytes.buffer)]);
  return {
    device,
    bubbles: true,
    uuids: servicesIn(advertising).filter((it) => services.includes(it)),
    name: advertising["local-name"],
    appearance: advertising.appearance,
    txPower: advertising["tx-power"],
    rssi: advertising.rssi,
    manufacturerData: views(manufacturersIn(advertising), ([key, bytes]) => companies.includes(key) && !isBlockedData(key, bytes)),
    serviceData: views(serviceDataIn(advertising), ([key]) => services.includes(key)),
  };
}
