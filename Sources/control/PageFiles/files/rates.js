// How many values a second a device takes and sends.

const WINDOW = 3000;

export class RateMeter {
  in = 0;
  out = 0;
  #samples = [];

  reset() {
    this.#samples = [];
    this.in = this.out = 0;
  }

  /** Takes the totals of a status. */
  take(status, now) {
    this.#samples.push({ now, in: status["values-in"], out: status["values-out"] });
    while (this.#samples.length > 2 && now - this.#samples[0].now > WINDOW) this.#samples.shift();
    const first = this.#samples[0];
    const seconds = (now - first.now) / 1000;
    if (seconds < 0.5) return;
    this.in = Math.max(0, (status["values-in"] - first.in) / seconds);
    this.out = Math.max(0, (status["values-out"] - first.out) / seconds);
  }
}
