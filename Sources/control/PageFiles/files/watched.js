// Expressions that a person watches, remembered by device.

const MOST = 24;

export class WatchedExpressions {
  #device;
  list = [];

  constructor(device) {
    this.#device = device;
    this.list = this.#load();
    device.want(this.list);
  }

  add(expression) {
    if (this.list.includes(expression) || this.list.length >= MOST) return;
    this.list.push(expression);
    this.#device.want([expression]);
    this.#save();
  }

  remove(expression) {
    this.list = this.list.filter((it) => it !== expression);
    this.#device.unwant([expression]);
    this.#save();
  }

  get #key() {
    return `watched ${this.#device.name}`;
  }

  #load() {
    try {
      const list = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(list) ? list.filter((it) => typeof it === "string").slice(0, MOST) : [];
    } catch {
      return [];
    }
  }

  #save() {
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.list));
    } catch {
      // Storage is off: they last as long as the page.
    }
  }
}
