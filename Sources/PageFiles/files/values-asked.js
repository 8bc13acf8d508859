// Asks for present values: all that a device has, and expressions that views want.

import { ControlError } from "./link.js";

/** An expression without a value is asked for again after this time. */
const RETRY = 5000;

export class Values {
  /** How many views want each expression. */
  #wanted = new Map();
  /** Errors by expression. */
  problems = new Map();
  #lastTrial = 0;

  want(expressions) {
    for (const text of expressions) this.#wanted.set(text, (this.#wanted.get(text) ?? 0) + 1);
  }

  unwant(expressions) {
    for (const text of expressions) {
      const count = (this.#wanted.get(text) ?? 0) - 1;
      if (count > 0) this.#wanted.set(text, count);
      else this.#wanted.delete(text);
      this.problems.delete(text);
    }
  }

  /** @returns {Promise<object>} values by name and by expression; those without a value are missing. */
  async ask(link) {
    const own = link.call("get");
    const extra = this.#askExtra(link);
    const [{ values }, found] = await Promise.all([own, extra]);
    return { ...found, ...values };
  }

  async #askExtra(link) {
    if (this.#wanted.size === 0) return {};
    const isTrial = performance.now() - this.#lastTrial > RETRY;
    const names = [...this.#wanted.keys()].filter((text) => isTrial || !this.problems.has(text));
    if (names.length === 0) return {};
    if (isTrial) this.#lastTrial = performance.now();
    try {
      const { values } = await link.call("get", { names });
      if (isTrial) this.problems.clear();
      return values;
    } catch (error) {
      if (!(error instanceof ControlError) || error.isLost) throw error;
      return this.#askEach(names, link);
    }
  }

  /** One expression without a value spoils a whole request, so finds out which. */
  async #askEach(names, link) {
    const found = {};
    const one = async (name) => {
      try {
        Object.assign(found, (await link.call("get", { names: [name] })).values);
        this.problems.delete(name);
      } catch (error) {
        if (error.isLost) throw error;
        this.problems.set(name, error);
      }
    };
    await Promise.all(names.map(one));
    return found;
  }
}
