// Finds the view for the address (#/, #/NAME, #/NAME/TAB, #/NAME/present) and shows it.

import { el, setText } from "./dom.js";
import { showStand } from "./stand.js";
import { showDevice } from "./device.js";
import { showPresenter } from "./presenter.js";
import { installKeys } from "./keys.js";
import { installThemeButton } from "./colors.js";
import { takeToken } from "./token.js";

const main = document.getElementById("main");
/** The view that is shown: its key, the functions that end it and that take another route of the same view. */
let current = { key: null, controller: new AbortController(), update: () => {} };
/** Until it is done, views request nothing. */
let signIn = Promise.resolve();

/** The route in the address. */
function route() {
  const [name = "", tab = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decode);
  if (!name) return { key: "stand", view: showStand, name, tab };
  if (tab === "present") return { key: `present ${name}`, view: showPresenter, name, tab };
  return { key: `device ${name}`, view: showDevice, name, tab: tab || "live" };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function show() {
  signIn = signIn.then(takeToken);
  await signIn;
  const wanted = route();
  if (wanted.key !== current.key) open(wanted);
  else current.update(wanted.tab);
}

function open({ key, view, name, tab }) {
  current.controller.abort();
  const controller = new AbortController();
  main.replaceChildren();
  main.dataset.view = key.split(" ")[0];
  document.documentElement.dataset.view = main.dataset.view;
  document.title = name ? `${name} – blemu` : "blemu";
  showCrumbs(name);
  scrollTo(0, 0);
  const isFirst = current.key === null;
  current = { key, controller, update: view(main, { name, tab, signal: controller.signal }) ?? (() => {}) };
  if (!isFirst) main.focus({ preventScroll: true });
}

function showCrumbs(name) {
  const crumbs = document.getElementById("crumbs");
  crumbs.replaceChildren(el("a", { href: "#/", "aria-current": name ? null : "page" }, "Devices"));
  if (!name) return;
  const device = el("a", { href: `#/${encodeURIComponent(name)}`, "aria-current": "page" }, name);
  crumbs.append(el("span", { "aria-hidden": "true" }, "/"), device);
}

/** Says in the bar that the server does not answer, or no longer knows this browser. */
document.addEventListener("server-state", ({ detail }) => {
  const place = document.getElementById("server-state");
  place.hidden = detail === "";
  setText(place, detail);
});

// The skip link leads to a place of the view, not to another view.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

installThemeButton(document.getElementById("theme-button"));
installKeys(document.getElementById("help-button"));
addEventListener("hashchange", show);
show();
