// navigator.bluetooth.

const STORAGE_KEY = "blemuWebBluetooth";

/** What a person has allowed this page, kept in the page's storage: of each device its names, services and companies. */
const grants = {
  get all() {
    try {
      return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? this.kept;
    } catch {
      return this.kept; // the page has no storage
    }
  },

  set all(list) {
    this.kept = list;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(list));
    } catch {
      // They last until the page is loaded again.
    }
  },

  kept: [],
};

class Bluetooth extends EventTarget {
  #devices = new Map();

  get referringDevice() {
    return null;
  }

  async getAvailability() {
    return runningDevices().then(
      () => true,
      () => false,
    );
  }

  async getDevices() {
    return grants.all.map((it) => this.#device(it));
  }

  async requestDevice(options = {}) {
    const { filters, exclusionFilters, optionalServices, companies, acceptAllDevices } = checked(options);
    if (navigator.userActivation?.isActive === false) {
      throw failure("SecurityError", "Must be handling a user gesture to show a permission request.");
    }
    const isMatch = (advertising) =>
      (acceptAllDevices || filters.some((it) => matches(it, advertising))) &&
      !exclusionFilters?.some((it) => matches(it, advertising));
    const chosen = await chooseDevice(isMatch);
    const services = [...(filters ?? []).flatMap((it) => it.services), ...optionalServices];
    return this.#device(grant(chosen, services, companies));
  }

  /** The one object for a device. */
  #device(grant) {
    const known = this.#devices.get(grant.id);
    if (known) {
      known[GRANT] = grant;
      return known;
    }
    const device = new BluetoothDevice(grant, () => {
      this.#devices.delete(grant.id);
      grants.all = grants.all.filter((it) => it.id !== grant.id);
    });
    this.#devices.set(grant.id, device);
    return device;
  }
}

addHandlers(Bluetooth, "availabilitychanged");

/** The options of requestDevice, or why they are wrong. */
function checked({ filters, exclusionFilters, optionalServices = [], optionalManufacturerData = [], acceptAllDevices = false }) {
  if (exclusionFilters !== undefined && filters === undefined) {
    throw new TypeError("'filters' member must be present if 'exclusionFilters' is present.");
  }
  if ((filters !== undefined) === Boolean(acceptAllDevices)) {
    throw new TypeError("Either 'filters' should be present or 'acceptAllDevices' should be true, but not both.");
  }
  return {
    filters: canonicalFilters(filters, "filters"),
    exclusionFilters: canonicalFilters(exclusionFilters, "exclusionFilters"),
    optionalServices: [...optionalServices].map(BluetoothUUID.getService).filter((it) => !isBlocked(it)),
    companies: [...optionalManufacturerData].map(companyOf),
    acceptAllDevices,
  };
}

/** Allows the page a device, and services in addition to those that it was allowed before. */
function grant({ peripheral, advertising }, services, companies) {
  const id = btoa(String.fromCharCode(...new TextEncoder().encode(peripheral.name)));
  const before = grants.all.find((it) => it.id === id);
  const granted = {
    id,
    peripheral: peripheral.name,
    name: advertising["local-name"] ?? null,
    services: [...new Set([...(before?.services ?? []), ...services])],
    companies: [...new Set([...(before?.companies ?? []), ...companies])],
  };
  grants.all = [...grants.all.filter((it) => it.id !== id), granted];
  return granted;
}

// Takes the place of the browser's own, if it has one.
const interfaces = {
  Bluetooth, BluetoothAdvertisingEvent, BluetoothCharacteristicProperties, BluetoothDevice, BluetoothRemoteGATTCharacteristic,
  BluetoothRemoteGATTDescriptor, BluetoothRemoteGATTServer, BluetoothRemoteGATTService, BluetoothUUID,
};
for (const [name, value] of Object.entries(interfaces)) {
  Object.defineProperty(value.prototype, Symbol.toStringTag, { value: name, configurable: true });
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
Object.defineProperty(navigator, "bluetooth", { value: new Bluetooth(), configurable: true, enumerable: true });
