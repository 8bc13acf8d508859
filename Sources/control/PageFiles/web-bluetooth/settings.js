// Web Bluetooth without Bluetooth: gives a page navigator.bluetooth, whose devices are those that blemu runs in memory.

/**
 * What a test may change at any time. The address of the script may also have them: `/web-bluetooth.js?choose=hm-10`.
 * - `server`: where blemu web listens; unless set, the server of this script
 * - `choose`: in place of the chooser: the name of a device, or "*" for the only one that matches
 * - `passkey`: for devices that pair with one
 */
const settings = (globalThis.blemuWebBluetooth ??= {});

{
  const { src } = document.currentScript ?? {};
  const { origin, searchParams } = new URL(src || "http://127.0.0.1:25368");
  settings.server ??= origin;
  for (const name of ["choose", "passkey"]) settings[name] ??= searchParams.get(name);
}

const failure = (name, message) => new DOMException(message, name);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const bytesOf = (hex) => Uint8Array.from(hex.match(/[0-9A-Fa-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));

const viewOf = (hex) => new DataView(bytesOf(hex).buffer);

/** A copy of the bytes of an ArrayBuffer or a view of one. */
function copyOf(source) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  if (source instanceof ArrayBuffer) return new Uint8Array(source).slice();
  throw new TypeError("The value is neither an ArrayBuffer nor a view of one.");
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** Gives a class the properties `on…` for events. */
function addHandlers(type, ...events) {
  for (const event of events) {
    const handlers = new WeakMap();
    Object.defineProperty(type.prototype, `on${event}`, {
      configurable: true,
      enumerable: true,
      get() {
        return handlers.get(this)?.current ?? null;
      },
      set(handler) {
        if (!handlers.has(this)) {
          const kept = { current: null };
          handlers.set(this, kept);
          this.addEventListener(event, (it) => kept.current?.call(this, it));
        }
        handlers.get(this).current = typeof handler === "function" ? handler : null;
      },
    });
  }
}
