// Asks for current values: all of a device's, and expressions that views want.

import { ControlError } from "./link.js";

export class Values {
  /** How many views want each expression. */
  #wanted = new Map();
  /** Errors by expression. */
  problems = new Map();

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

  /** The values of the expressions that have one. */
  async #askExtra(link) {
    const names = [...this.#wanted.keys()];
    if (names.length === 0) return {};
    const { values } = await link.call("get", { names, partial: true });
    for (const name of Object.keys(values)) this.problems.delete(name);
    const unexplained = names.filter((name) => !Object.hasOwn(values, name) && !this.problems.has(name));
    await Promise.all(unexplained.map((name) => this.#explain(name, link)));
    return values;
  }

  /** Asks for one expression without a value, to learn why it has none. */
  async #explain(name, link) {
    try {
      await link.call("get", { names: [name] });
    } catch (error) {
      if (!(error instanceof ControlError) || error.isLost) throw error;
      this.problems.set(name, error);
    }
  }
}
