// The numbers in the messages that pass, from the last message of each name.

/** The most numbers that are followed. */
const MOST = 32;

/** An integer that JavaScript would round is a text. */
const isNumber = (value) => typeof value === "number" || /^-?\d{16,}$/.test(value);

export class MessageFields {
  /** Numbers by `message.field`. */
  values = new Map();

  /** @returns {boolean} whether there are numbers that were not there before. */
  take(events) {
    const count = this.values.size;
    for (const { message, fields } of events) {
      for (const [field, value] of Object.entries(fields ?? {})) this.#set(`${message}.${field}`, value);
    }
    return this.values.size > count;
  }

  #set(name, value) {
    if (isNumber(value) && (this.values.size < MOST || this.values.has(name))) this.values.set(name, value);
  }
}
