// The chooser: a dialog on the page, in place of the browser's own.

/** How long an answer in place of a person waits for a device that matches. */
const PATIENCE = 10_000;
const BETWEEN_LOOKS = 500;

/** The devices in memory and what they advertise, by the order of their names. */
async function lookAround() {
  const found = (await runningDevices()).map(async (name) => {
    const peripheral = Peripheral.named(name);
    return { peripheral, advertising: await peripheral.advertisingOrConnected() };
  });
  return (await Promise.all(found)).filter((it) => it.advertising);
}

/** As in `HMSoft (hm-10)`. The name of a device may be the path of its socket. */
const nameOf = ({ peripheral, advertising }) => {
  const own = peripheral.name.replace(/^.*\/|\.sock$/g, "");
  const name = advertising["local-name"] ?? own;
  return name === own ? own : `${name} (${own})`;
};

const namesOf = (devices) => devices.map(nameOf).join(", ") || "none";

/** The device that matches and is chosen, by a person or by `settings.choose`. */
function chooseDevice(isMatch) {
  return settings.choose ? answerFor(settings.choose, isMatch) : new Chooser(isMatch).choice;
}

async function answerFor(name, isMatch) {
  const isMeant = (it) => name === "*" || name === it.peripheral.name || name === it.advertising["local-name"];
  const end = performance.now() + PATIENCE;
  for (;;) {
    const devices = await lookAround();
    const [first, ...others] = devices.filter((it) => isMatch(it.advertising) && isMeant(it));
    if (first && others.length === 0) return first;
    if (first) throw failure("NotFoundError", `Several devices match: ${namesOf([first, ...others])}. Choose one by its name.`);
    if (performance.now() > end) {
      throw failure("NotFoundError", `No device that matches was chosen with '${name}'. These advertise: ${namesOf(devices)}.`);
    }
    await pause(100);
  }
}

const STYLE = `
  dialog { font: 16px/1.4 system-ui, sans-serif; color-scheme: light dark; width: min(26rem, 90vw); padding: 1.25rem;
           border: 1px solid GrayText; border-radius: .75rem; background: Canvas; color: CanvasText }
  dialog::backdrop { background: rgb(0 0 0 / .4) }
  h2 { font-size: 1.15rem; margin: 0 0 .25rem }
  p { margin: 0 0 .75rem }
  ul { list-style: none; margin: 0 0 .75rem; padding: 0; max-height: 50vh; overflow: auto }
  li { margin: .25rem 0 }
  button { font: inherit; padding: .5rem .75rem; border-radius: .5rem; border: 1px solid GrayText }
  li button { width: 100%; text-align: start; overflow-wrap: anywhere }
`;

/** Shows the devices that match, as they come and go. A shadow tree keeps the page's style away. */
class Chooser {
  #isMatch;
  #host = document.createElement("div");
  #dialog = element("dialog", { "aria-labelledby": "title" });
  #list = element("ul");
  #status = element("p", { role: "status" });
  #buttons = new Map();
  #chosen = null;

  /** @type {Promise} the device that was chosen. */
  choice;

  constructor(isMatch) {
    this.#isMatch = isMatch;
    this.choice = this.#show();
  }

  async #show() {
    this.#update(await lookAround());
    this.#build();
    const ended = new Promise((resolve) => this.#dialog.addEventListener("close", resolve));
    this.#dialog.showModal();
    this.#keepLooking();
    await ended;
    this.#host.remove();
    if (this.#chosen) return this.#chosen;
    throw failure("NotFoundError", "User cancelled the requestDevice() chooser.");
  }

  #build() {
    const cancel = element("button", { type: "button" }, "Cancel");
    cancel.addEventListener("click", () => this.#dialog.close());
    const title = element("h2", { id: "title" }, "Choose a Bluetooth device");
    const explanation = element("p", {}, `${location.host} wants to connect.`);
    this.#dialog.append(title, explanation, this.#list, this.#status, cancel);
    const root = this.#host.attachShadow({ mode: "open" });
    // The page's Content-Security-Policy may refuse an element of style.
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    root.append(this.#dialog);
    document.body.append(this.#host);
  }

  async #keepLooking() {
    while (this.#dialog.open) {
      await pause(BETWEEN_LOOKS);
      const devices = await lookAround().catch(() => []);
      if (this.#dialog.open) this.#update(devices);
    }
  }

  #update(devices) {
    const matching = devices.filter((it) => this.#isMatch(it.advertising));
    for (const [peripheral, button] of this.#buttons) {
      if (matching.some((it) => it.peripheral === peripheral)) continue;
      button.parentElement.remove();
      this.#buttons.delete(peripheral);
    }
    for (const device of matching) this.#offer(device);
    const others = devices.filter((it) => !matching.includes(it));
    const otherwise = devices.length > 0 ? "" : "No device advertises.";
    setText(this.#status, others.length > 0 ? `Not what the page asks for: ${namesOf(others)}.` : otherwise);
  }

  #offer(device) {
    const button = this.#buttons.get(device.peripheral) ?? this.#add(device.peripheral);
    setText(button, nameOf(device));
    button.onclick = () => {
      this.#chosen = device;
      this.#dialog.close();
    };
  }

  #add(peripheral) {
    const button = element("button", { type: "button" });
    this.#buttons.set(peripheral, button);
    const item = element("li");
    item.append(button);
    this.#list.append(item);
    return button;
  }
}

/** Sets a text only if it differs: a screen reader would read it again. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function element(tag, attributes = {}, text = "") {
  const it = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) it.setAttribute(name, value);
  it.textContent = text;
  return it;
}
