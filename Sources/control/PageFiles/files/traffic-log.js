// The events that the page keeps, and those among them that pass the filter.

import { wordsOf, fieldWords } from "./event-words.js";

const MOST = 5000;
/** Old events are dropped this many at a time, so that it costs little per event. */
const SLACK = 500;

/** An event with the parts that a row shows. */
function entryOf(event, sequence) {
  const entry = { event, sequence, ...wordsOf(event) };
  entry.detail = entry.fields ? fieldWords(entry.fields) : "";
  return entry;
}

export class TrafficLog {
  #entries = [];
  #sequence = 0;
  #filter = () => true;
  /** The events at the beginning of the pause; null: there is no pause. */
  #held = null;
  #firstCentral;
  hasManyCentrals = false;
  /** Those that are shown, oldest first. */
  shown = [];
  /** How many events have arrived since the pause began. */
  missed = 0;

  get count() {
    return this.#present.length;
  }

  get #present() {
    return this.#held ?? this.#entries;
  }

  /** Whether the filter hides some events. */
  get isFiltered() {
    return this.shown.length < this.count;
  }

  /** @returns {number} how many rows were dropped at the beginning of those shown. */
  add(events) {
    const fresh = events.map((event) => entryOf(event, ++this.#sequence));
    for (const { central } of fresh) this.#meet(central);
    this.#entries.push(...fresh);
    if (this.#entries.length > MOST + SLACK) this.#entries.splice(0, this.#entries.length - MOST);
    if (this.#held) {
      this.missed += fresh.length;
      return 0;
    }
    this.shown.push(...fresh.filter(this.#filter));
    return this.#dropOld();
  }

  /** Notices whether several centrals take part, so that rows must name them. */
  #meet(central) {
    if (central === "") return;
    this.#firstCentral ??= central;
    if (central !== this.#firstCentral) this.hasManyCentrals = true;
  }

  /** @param {(entry) => boolean} filter lets an event through */
  filter(filter) {
    this.#filter = filter;
    this.shown = this.#present.filter(filter);
  }

  pause() {
    this.#held = [...this.#entries];
    this.missed = 0;
  }

  resume() {
    this.#held = null;
    this.missed = 0;
    this.filter(this.#filter);
  }

  clear() {
    this.#entries = [];
    if (this.#held) this.#held = [];
    this.shown = [];
    this.missed = 0;
  }

  #dropOld() {
    const first = this.#entries[0]?.sequence ?? 0;
    let count = 0;
    while (count < this.shown.length && this.shown[count].sequence < first) count += 1;
    if (count > 0) this.shown.splice(0, count);
    return count;
  }
}
