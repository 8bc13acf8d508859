// Which devices run.

import { request } from "./token.js";

/** @returns {Promise<string[]|null>} their names; null if the server does not answer. The bar then says why. */
export async function runningDevices(signal) {
  try {
    const answer = await request("/devices", signal);
    isKnown = !REFUSED.has(answer.status);
    if (!isKnown) return fail("Not signed in: open the address that blemu web printed.");
    if (!answer.ok) return fail("The server has an error.");
    const { devices } = await answer.json();
    tell("");
    return devices;
  } catch {
    if (signal.aborted) return null;
    return fail("The server does not answer. Waiting for it.");
  }
}

/** Whether the server answered last time. */
export let isServerThere = true;

/** Whether the server let this browser in last time. */
export let isKnown = true;

const REFUSED = new Set([401, 403]);

function fail(sentence) {
  tell(sentence);
  return null;
}

function tell(sentence) {
  isServerThere = sentence === "";
  document.dispatchEvent(new CustomEvent("server-state", { detail: sentence }));
}
