// The filters of requestDevice, checked as the specification says.

const LONGEST_NAME = 248;

/** The filters with UUIDs in full. Throws what requestDevice then throws. */
function canonicalFilters(filters, name) {
  if (filters === undefined) return null;
  const list = [...filters];
  if (list.length === 0) throw new TypeError(`'${name}' must not be empty.`);
  return list.map(canonicalFilter);
}

function canonicalFilter(filter) {
  const { services, name, namePrefix, manufacturerData, serviceData } = filter ?? {};
  const members = [services, name, namePrefix, manufacturerData, serviceData];
  if (members.every((it) => it === undefined)) throw new TypeError("A filter must restrict the devices in some way.");
  checkName(name, 0);
  checkName(namePrefix, 1);
  return {
    name: name === undefined ? undefined : String(name),
    namePrefix: namePrefix === undefined ? undefined : String(namePrefix),
    services: listOf(services, "services").map(allowedService),
    manufacturerData: manufacturerFilters(listOf(manufacturerData, "manufacturerData")),
    serviceData: listOf(serviceData, "serviceData").map((it) => ({ key: allowedService(it.service), ...prefixOf(it) })),
  };
}

function checkName(name, shortest) {
  if (name === undefined) return;
  const { length } = new TextEncoder().encode(name);
  if (length < shortest || length > LONGEST_NAME) {
    throw new TypeError(`A name has ${shortest} to ${LONGEST_NAME} bytes, and '${name}' has ${length}.`);
  }
}

function listOf(members, name) {
  const list = members === undefined ? [] : [...members];
  if (members !== undefined && list.length === 0) throw new TypeError(`'${name}', if present, must not be empty.`);
  return list;
}

function allowedService(name) {
  const uuid = BluetoothUUID.getService(name);
  if (isBlocked(uuid)) throw failure("SecurityError", `No page may use the service ${uuid}: it is on the blocklist.`);
  return uuid;
}

function manufacturerFilters(list) {
  const filters = list.map((it) => ({ key: companyOf(it.companyIdentifier), ...prefixOf(it) }));
  for (const { key, prefix, mask } of filters) {
    if (isBlockedData(key, prefix) && mask[0] === 0xff) {
      throw failure("SecurityError", "No page may look for iBeacons: they are on the blocklist.");
    }
  }
  if (new Set(filters.map((it) => it.key)).size < filters.length) {
    throw new TypeError("'manufacturerData' has two filters for one company.");
  }
  return filters;
}

function companyOf(identifier) {
  const number = Math.trunc(Number(identifier));
  if (!(number >= 0 && number <= 0xffff)) throw new TypeError(`'${identifier}' is not an identifier of a company.`);
  return number;
}

function prefixOf({ dataPrefix, mask }) {
  const prefix = dataPrefix === undefined ? new Uint8Array() : copyOf(dataPrefix);
  if (dataPrefix !== undefined && prefix.length === 0) throw new TypeError("'dataPrefix', if present, must not be empty.");
  const bits = mask === undefined ? prefix.map(() => 0xff) : copyOf(mask);
  if (bits.length !== prefix.length) throw new TypeError("'mask' must be as long as 'dataPrefix'.");
  return { prefix, mask: bits };
}

/** Whether a device that advertises this matches a filter. */
function matches(filter, advertising) {
  const name = advertising["local-name"];
  const services = servicesIn(advertising);
  return (
    (filter.name === undefined || name === filter.name) &&
    (filter.namePrefix === undefined || (name ?? "").startsWith(filter.namePrefix)) &&
    filter.services.every((uuid) => services.includes(uuid)) &&
    isIn(filter.manufacturerData, manufacturersIn(advertising)) &&
    isIn(filter.serviceData, serviceDataIn(advertising))
  );
}

const isIn = (filters, data) =>
  filters.every(({ key, prefix, mask }) => {
    const bytes = data.get(key);
    return bytes && bytes.length >= prefix.length && prefix.every((byte, index) => ((byte ^ bytes[index]) & mask[index]) === 0);
  });

const servicesIn = (advertising) => (advertising.services ?? []).map(fullUUID);

/** Bytes by company, which the device writes in hex. */
const manufacturersIn = (advertising) =>
  new Map(Object.entries(advertising["manufacturer-data"] ?? {}).map(([company, hex]) => [Number.parseInt(company, 16), bytesOf(hex)]));

/** Bytes by service. */
const serviceDataIn = (advertising) =>
  new Map(Object.entries(advertising["service-data"] ?? {}).map(([uuid, hex]) => [fullUUID(uuid), bytesOf(hex)]));
