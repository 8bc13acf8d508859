// The recent changes of a number, as far as there is room.

/** The longest and the shortest time that plots show, milliseconds. */
const LONGEST = 180_000;
const SHORTEST = 30_000;
const MOST = 600;

/** Keeps changes only: between two of them, the value stays. */
export class History {
  /** Oldest first; the first may be older than the plot. */
  changes = [];

  add(time, value) {
    const last = this.changes.at(-1);
    if (last?.value === value) return;
    this.changes.push({ time, value });
    const old = time - LONGEST;
    while (this.changes.length > MOST || (this.changes.length > 1 && this.changes[1].time < old)) this.changes.shift();
  }

  /** How far back a plot of it shows: it begins short and grows with the history. */
  span(now) {
    const known = now - (this.changes[0]?.time ?? now);
    return Math.min(LONGEST, Math.max(SHORTEST, known));
  }

  /** The least and the greatest value of the plot; undefined if it is empty. */
  get range() {
    if (this.changes.length === 0) return undefined;
    let [least, greatest] = [Infinity, -Infinity];
    for (const { value } of this.changes) {
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    return { least, greatest };
  }

  /** The value at a time; undefined before the first. */
  at(time) {
    return this.changes.findLast((change) => change.time <= time)?.value;
  }
}
