// The services and characteristics, with their current values.

import { el, setText } from "./dom.js";
import { panel } from "./panel.js";
import { bytesOf, printable } from "./format.js";
import { serviceName, characteristicName, descriptorName } from "./assigned-names.js";

export function attributesPanel(device, signal) {
  const body = el("div", { class: "attributes" });
  let drawn = "";
  let values = new Map();
  const update = () => {
    const { description } = device;
    if (!description) return;
    const key = JSON.stringify(description.services);
    if (key !== drawn) {
      drawn = key;
      values = new Map();
      body.replaceChildren(...description.services.map((it) => service(it, values)));
    }
    values.forEach((show, id) => show(description.values[id] ?? ""));
  };
  device.addEventListener("description", update, { signal });
  return { element: panel("attributes", "Attributes", body), update };
}

function service(it, values) {
  return el(
    "section", { class: "service", data: { service: it.id } },
    el(
      "h3",
      {},
      el("span", { class: "mono" }, it.uuid),
      " ",
      serviceName(it.uuid) ?? (it.id === it.uuid ? "" : it.id),
      it.primary ? null : el("span", { class: "faint" }, " secondary"),
    ),
    it.characteristics.length > 0 ? it.characteristics.map((one) => characteristic(one, values)) : el(
      "p",
      { class: "faint" },
      "No characteristics.",
    ),
  );
}

function characteristic(it, values) {
  const hex = el("span", { class: "mono attribute-hex" });
  const text = el("span", { class: "mono attribute-text faint" });
  values.set(it.id, (value) => {
    setText(hex, value || "empty");
    setText(text, value ? printable(bytesOf(value)) : "");
  });
  const names = [it.id !== it.uuid && it.id, characteristicName(it.uuid)].filter(Boolean);
  return el(
    "div", { class: "characteristic", data: { attribute: it.id } },
    el(
      "div",
      { class: "characteristic-head" },
      el("span", { class: "mono" }, it.uuid),
      el("strong", {}, names[0] ?? ""),
      names[1] ? el("span", { class: "faint" }, names[1]) : null,
      it.handle === undefined ? null : el(
        "span",
        { class: "faint mono handle", title: "Handle of the value" },
        `0x${it.handle.toString(16).toUpperCase().padStart(4, "0")}`,
      ),
    ),
    el(
      "ul",
      { class: "properties", "aria-label": "Properties" },
      [
        ...it.properties,
        ...it.permissions.filter((name) => !it.properties.includes(name)),
      ].map((name) => el("li", {}, name)),
    ),
    el("div", { class: "attribute-value" }, hex, text),
    it.descriptors.length > 0 ? el(
      "p",
      { class: "faint descriptors" },
      it.descriptors.map((uuid) => [uuid, descriptorName(uuid)].filter(Boolean).join(" ")).join(", "),
    ) : null,
  );
}
