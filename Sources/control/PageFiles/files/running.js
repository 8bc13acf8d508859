// The page's knowledge of a running device, kept up to date while a view shows it.

import { Link, ControlError } from "./link.js";
import { pause } from "./timing.js";
import { RateMeter } from "./rates.js";
import { Values } from "./values-asked.js";

/** How long the device may wait with an answer for the next event. */
const PATIENCE = 25_000;
/** The least time between two questions for events, so that busy devices answer with many at once. */
const BETWEEN_BATCHES = 60;
const MOST_EVENTS = 500;
/** The number of past events that are fetched at the beginning. */
const FROM_THE_PAST = 4000;
const BETWEEN_VALUES = 120;
/** The device counts as silent if it has not answered for this long. */
const SILENCE = 5000;

/**
 * A device by its name. Dispatches, as events without details unless noted:
 * `state` (connecting, running, silent or ended), `description`, `status`, `values`, `faults`,
 * `events` (detail: events, forgotten: how many the journal had lost), `restarted`.
 */
export class RunningDevice extends EventTarget {
  state = "connecting";
  /** The last answer of `describe`; null before. It stays after the device has ended. */
  description = null;
  status = null;
  /** Current values by name or expression. */
  values = {};
  faults = [];
  rates = new RateMeter();
  #asked = new Values();
  #link;
  #after = 0;
  #hasRead = false;
  #connection = new AbortController();
  #life = new AbortController();
  #wakeUp = () => {};
  #isStale = true;
  /** Whether something has happened since the last look at everything. */
  #hasChanged = false;
  #lastFull = 0;
  #lastDescription = 0;

  /** @param {boolean} readsEvents whether it fetches events, or only notices that there are some. */
  constructor(name, { readsEvents = false } = {}) {
    super();
    this.name = name;
    this.readsEvents = readsEvents;
    this.#link = new Link(name);
    this.#link.addEventListener("open", () => this.#begin());
    this.#link.addEventListener("lost", () => this.#lose());
    document.addEventListener("visibilitychange", () => this.refresh(), { signal: this.#life.signal });
  }

  /** Asks the device, then looks at its values again. */
  async call(method, params) {
    const answer = await this.#link.call(method, params);
    if (method === "faults") this.#takeFaults(answer);
    if (CHANGING.has(method)) this.refresh();
    return answer;
  }

  /** Also asks for these expressions from now on. */
  want(expressions) {
    this.#asked.want(expressions);
    this.refresh();
  }

  unwant(expressions) {
    this.#asked.unwant(expressions);
  }

  /** Why an expression has no value; undefined if it has one. */
  problemWith(expression) {
    return this.#asked.problems.get(expression);
  }

  /** Looks at everything again soon. */
  refresh() {
    this.#isStale = true;
    this.#wakeUp();
  }

  end() {
    this.#life.abort();
    this.#connection.abort();
    this.#link.end();
  }

  // Its connection

  async #begin() {
    this.#connection.abort();
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    try {
      await this.#meet(signal);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      return;
    }
    if (signal.aborted) return;
    this.#setState("running");
    this.#lookAround(signal);
    this.#readJournal(signal);
  }

  /** Asks what it is, until it has started. */
  async #meet(signal) {
    const before = this.description?.process;
    while (!signal.aborted) {
      try {
        await this.#heard(this.#describe());
        break;
      } catch (error) {
        if (error.code !== ControlError.NOT_POSSIBLE) throw error;
        await pause(300, signal);
      }
    }
    if (before === this.description.process) return;
    this.#after = Math.max(0, this.description.events - FROM_THE_PAST);
    this.#hasRead = false;
    this.rates.reset();
    if (before !== undefined) this.#tell("restarted");
  }

  /** Awaits answers, and reports while none arrives. */
  async #heard(answers) {
    const timer = setTimeout(() => this.#setState("silent"), SILENCE);
    try {
      return await answers;
    } finally {
      clearTimeout(timer);
    }
  }

  #lose() {
    this.#connection.abort();
    this.#setState("ended");
  }

  #setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell("state");
  }

  #tell(type, detail) {
    this.dispatchEvent(detail ? new CustomEvent(type, { detail }) : new Event(type));
  }

  // Its present

  async #describe() {
    const description = await this.#link.call("describe");
    // Nobody operates a control before it shows the value that it begins with.
    if (description.process !== this.description?.process) this.values = await this.#asked.ask(this.#link);
    this.description = description;
    this.#lastDescription = performance.now();
    this.#takeStatus(this.description);
    this.#tell("description");
  }

  #takeStatus(status) {
    this.status = status;
    this.rates.take(status, performance.now());
    this.#tell("status");
  }

  /** Looks at its values each second and after events, and at everything else less often. */
  async #lookAround(signal) {
    while (!signal.aborted) {
      try {
        await this.#heard(this.#look());
        if (!signal.aborted) this.#setState("running");
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        if (error.isLost) return;
      }
      await pause(BETWEEN_VALUES, signal);
      if (!this.#isStale) await this.#sleep(document.hidden ? 5000 : 1000 - BETWEEN_VALUES, signal);
    }
  }

  async #look() {
    const now = performance.now();
    const isDue = now - this.#lastFull > 950;
    this.#hasChanged ||= this.#isStale;
    this.#isStale = false;
    this.values = await this.#asked.ask(this.#link);
    this.#tell("values");
    if (!isDue) return;
    this.#lastFull = now;
    const isOld = now - this.#lastDescription > (this.#hasChanged ? 1000 : 5000);
    if (isOld) {
      this.#hasChanged = false;
      await this.#describe();
    } else {
      this.#takeStatus(await this.#link.call("status"));
    }
    this.#takeFaults(await this.#link.call("faults"));
  }

  #takeFaults({ faults }) {
    this.faults = faults;
    this.#tell("faults");
  }

  #sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
      pause(milliseconds, signal).then(resolve);
    });
  }

  // Its events

  async #readJournal(signal) {
    while (!signal.aborted) {
      try {
        const isFull = await this.#readOnce(signal);
        if (!isFull) await pause(document.hidden ? 1000 : BETWEEN_BATCHES, signal);
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        if (error.isLost) return;
        await pause(1000, signal);
      }
    }
  }

  /** @returns whether more events wait. */
  async #readOnce(signal) {
    const most = this.readsEvents ? MOST_EVENTS : 1;
    const answer = await this.#link.call("journal", { after: this.#after, most, wait: PATIENCE });
    if (signal.aborted || answer.events.length === 0) return false;
    if (this.#hasRead && this.readsEvents && answer.first > this.#after + 1) return this.#skip(answer);
    this.#hasRead = true;
    this.#after = this.readsEvents ? answer.after : answer.last;
    this.#isStale = true;
    this.#wakeUp();
    if (!this.readsEvents) return false;
    this.#tell("events", { events: answer.events, forgotten: 0 });
    return answer.events.length === most;
  }

  /** The page is too slow. It continues with the last events to catch up, and its note about the others stays in the list. */
  #skip({ last }) {
    const next = Math.max(this.#after, last - FROM_THE_PAST);
    this.#tell("events", { events: [], forgotten: next - this.#after });
    this.#after = next;
    return true;
  }
}

/** The methods that may change values. */
const CHANGING = new Set(["set", "press", "send", "wire", "act", "advertise", "disconnect", "forget", "reset", "faults"]);
