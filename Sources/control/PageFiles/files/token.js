// The token that lets this browser in. The address that blemu web prints has it in its fragment, which no browser sends.

const KEY = "token";
/** Replaces the browser's storage if that is off. */
let kept = "";

/** The token, or an empty text. All tabs of this server share it, and no other server's: a cookie goes to each port of a host. */
export function token() {
  try {
    return localStorage.getItem(KEY) ?? kept;
  } catch {
    return kept;
  }
}

/** Requests something for which the server wants the token. */
export function request(path, signal) {
  return requestWith(token(), path, signal);
}

function requestWith(token, path, signal) {
  return fetch(path, { signal, headers: { Authorization: `Bearer ${token}` } });
}

/** Moves the token from the address into the browser's storage. */
export async function takeToken() {
  const [, given] = /^#token=(\w+)$/.exec(location.hash) ?? [];
  if (!given) return;
  history.replaceState(null, "", "#/");
  // Another site's page may link here with a wrong token, which must not replace the right one.
  const answer = await requestWith(given, "/devices").catch(() => null);
  if (answer?.ok) keep(given);
}

function keep(token) {
  kept = token;
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // Storage is off: this tab has it until it is reloaded.
  }
}
