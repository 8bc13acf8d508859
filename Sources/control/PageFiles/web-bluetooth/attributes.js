// Services, characteristics and descriptors.

const CONNECTION = Symbol("connection");
const PARENT = Symbol("parent");
const FOUND = Symbol("found");
const CHANGE = Symbol("change");

const CCCD = fullUUID("2902");
const LONGEST_VALUE = 512;

/** What all attributes have: they belong to one connection, and to what they are in. */
class Attribute extends EventTarget {
  constructor(connection, parent, found) {
    super();
    this[CONNECTION] = connection;
    this[PARENT] = parent;
    this[FOUND] = found;
  }

  get uuid() {
    return this[FOUND].uuid;
  }
}

/** The connection of an attribute, if that can still be used. */
function usable(attribute) {
  const connection = attribute[CONNECTION];
  if (!connection.device.gatt?.connected) throw failure("NetworkError", DISCONNECTED);
  if (connection.isOpen) return connection;
  throw failure("InvalidStateError", `${attribute.uuid} is no longer valid. Get it again after the device has connected again.`);
}

/** What is in an attribute, of a kind, with a UUID (GetGATTChildren in the specification). */
function childrenOf(connection, parent, { Type, noun }, found, uuid, allowed) {
  const fitting = found.filter(
    (it) => !isBlocked(it.uuid) && (uuid === undefined || it.uuid === uuid) && (!allowed || allowed.has(it.uuid)),
  );
  if (fitting.length > 0) return fitting.map((it) => connection.object(Type, parent, it));
  throw failure("NotFoundError", uuid ? `No ${noun} with UUID ${uuid} found.` : `No ${noun}s found.`);
}

function checkNotBlocked(uuid) {
  if (uuid !== undefined && isBlocked(uuid)) throw failure("SecurityError", `No page may use ${uuid}: it is on the blocklist.`);
  return uuid;
}

class BluetoothRemoteGATTService extends Attribute {
  get device() {
    return this[CONNECTION].device;
  }

  get isPrimary() {
    return this[FOUND].primary;
  }

  async getCharacteristic(name) {
    return this.#characteristics(BluetoothUUID.getCharacteristic(name))[0];
  }

  async getCharacteristics(name) {
    return this.#characteristics(name === undefined ? name : BluetoothUUID.getCharacteristic(name));
  }

  #characteristics(uuid) {
    checkNotBlocked(uuid);
    const kind = { Type: BluetoothRemoteGATTCharacteristic, noun: "characteristic" };
    return childrenOf(usable(this), this, kind, this[FOUND].characteristics, uuid);
  }

  async getIncludedService(name) {
    return (await this.#included(BluetoothUUID.getService(name)))[0];
  }

  async getIncludedServices(name) {
    return this.#included(name === undefined ? name : BluetoothUUID.getService(name));
  }

  async #included(uuid) {
    checkNotBlocked(uuid);
    const connection = usable(this);
    const all = await connection.services();
    const included = all.filter((it) => this[FOUND].includes.includes(it.handle));
    return childrenOf(connection, null, { Type: BluetoothRemoteGATTService, noun: "included service" }, included, uuid);
  }
}

class BluetoothCharacteristicProperties {
  constructor(properties) {
    const has = (name) => properties.includes(name);
    this.broadcast = has("broadcast");
    this.read = has("read");
    this.writeWithoutResponse = has("write-without-response");
    this.write = has("write");
    this.notify = has("notify");
    this.indicate = has("indicate");
    this.authenticatedSignedWrites = has("authenticated-signed-writes");
    this.reliableWrite = has("reliable-write");
    this.writableAuxiliaries = has("writable-auxiliaries");
    Object.freeze(this);
  }
}

class BluetoothRemoteGATTCharacteristic extends Attribute {
  #properties;
  #value = null;

  get service() {
    return this[PARENT];
  }

  get properties() {
    this.#properties ??= new BluetoothCharacteristicProperties(this[FOUND].properties);
    return this.#properties;
  }

  get value() {
    return this.#value;
  }

  async getDescriptor(name) {
    return this.#descriptors(BluetoothUUID.getDescriptor(name))[0];
  }

  async getDescriptors(name) {
    return this.#descriptors(name === undefined ? name : BluetoothUUID.getDescriptor(name));
  }

  #descriptors(uuid) {
    checkNotBlocked(uuid);
    const kind = { Type: BluetoothRemoteGATTDescriptor, noun: "descriptor" };
    return childrenOf(usable(this), this, kind, this[FOUND].descriptors, uuid);
  }

  async readValue() {
    checkReadable(this.uuid);
    const connection = usable(this);
    this.#need("read");
    const { value } = await connection.request("read", { handle: this[FOUND].handle });
    this[CHANGE](viewOf(value));
    return this.#value;
  }

  async writeValue(value) {
    return this.#write(value, this.properties.write ? "request" : "command");
  }

  async writeValueWithResponse(value) {
    return this.#write(value, "request");
  }

  async writeValueWithoutResponse(value) {
    return this.#write(value, "command");
  }

  async #write(value, kind) {
    checkWritable(this.uuid);
    const bytes = copyOf(value);
    checkLength(bytes);
    const connection = usable(this);
    this.#need(kind === "request" ? "write" : "writeWithoutResponse");
    if (kind === "command" && bytes.length > connection.mtu - 3) {
      throw failure("NotSupportedError", `A write without response takes up to ${connection.mtu - 3} bytes here, not ${bytes.length}.`);
    }
    await connection.request("write", { handle: this[FOUND].handle, value: hexOf(bytes), kind });
    this.#value = new DataView(bytes.buffer);
  }

  async startNotifications() {
    checkReadable(this.uuid);
    const connection = usable(this);
    const { notify, indicate } = this.properties;
    if (!notify && !indicate) throw failure("NotSupportedError", `${this.uuid} neither notifies nor indicates.`);
    if (connection.isNotifying(this)) return this;
    connection.setNotifying(this, true); // values may come before the answer
    try {
      await this.#subscribe(connection, notify ? "01 00" : "02 00");
    } catch (error) {
      connection.setNotifying(this, false);
      throw error;
    }
    return this;
  }

  async stopNotifications() {
    const connection = this[CONNECTION];
    if (!connection.isOpen) throw failure("InvalidStateError", `${this.uuid} is no longer valid.`);
    if (!connection.isNotifying(this)) return this;
    await this.#subscribe(connection, "00 00");
    connection.setNotifying(this, false);
    return this;
  }

  async #subscribe(connection, value) {
    const { handle } = this[FOUND].descriptors.find((it) => it.uuid === CCCD) ?? {};
    if (handle) await connection.request("write", { handle, value });
  }

  #need(property) {
    if (this.properties[property]) return;
    throw failure("NotSupportedError", `GATT operation not permitted: ${this.uuid} has no '${property}'.`);
  }

  [CHANGE](value) {
    this.#value = value;
    this.dispatchEvent(new Event("characteristicvaluechanged", { bubbles: true }));
  }
}

addHandlers(BluetoothRemoteGATTCharacteristic, "characteristicvaluechanged");

class BluetoothRemoteGATTDescriptor extends Attribute {
  #value = null;

  get characteristic() {
    return this[PARENT];
  }

  get value() {
    return this.#value;
  }

  async readValue() {
    checkReadable(this.uuid);
    const { value } = await usable(this).request("read", { handle: this[FOUND].handle });
    this.#value = viewOf(value);
    return this.#value;
  }

  async writeValue(value) {
    checkWritable(this.uuid);
    const bytes = copyOf(value);
    checkLength(bytes);
    await usable(this).request("write", { handle: this[FOUND].handle, value: hexOf(bytes) });
    this.#value = new DataView(bytes.buffer);
  }
}

function checkLength(bytes) {
  if (bytes.length <= LONGEST_VALUE) return;
  throw failure("InvalidModificationError", `A value has up to ${LONGEST_VALUE} bytes, and this one has ${bytes.length}.`);
}
