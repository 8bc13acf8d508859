// What no page may reach (https://github.com/WebBluetoothCG/registries): identifiers, passwords, firmware.

const BLOCKED = new Set([
  ...["1812", "fffd", "fff9", "fde2", "2a03", "2a25", "00060000"].map(fullUUID),
  "00001530-1212-efde-1523-785feabcd123",
  "f000ffc0-0451-4000-b000-000000000000",
]);

const NOT_WRITABLE = new Set(["2a02", "2902", "2903"].map(fullUUID));

const isBlocked = (uuid) => BLOCKED.has(uuid);

function checkReadable(uuid) {
  if (isBlocked(uuid)) throw failure("SecurityError", `No page may read ${uuid}: it is on the blocklist.`);
}

function checkWritable(uuid) {
  if (isBlocked(uuid) || NOT_WRITABLE.has(uuid)) {
    throw failure("SecurityError", `No page may write ${uuid}: it is on the blocklist.`);
  }
}

/** iBeacon: where a person is. */
const isBlockedData = (company, bytes) => company === 0x4c && bytes[0] === 2;
