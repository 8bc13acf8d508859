// Timers that end with their view.

/** Waits; ends early, without an error, when the signal aborts. */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(end, milliseconds);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end);
  });
}

/** Calls a function repeatedly, less often in a hidden tab, until the signal aborts. */
export async function every(milliseconds, signal, body) {
  while (!signal.aborted) {
    await body();
    await pause(document.hidden ? milliseconds * 5 : milliseconds, signal);
  }
}

/** A function that calls `body` once before the next picture, however often it is called. */
export function onceAFrame(body) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      body();
    });
  };
}
