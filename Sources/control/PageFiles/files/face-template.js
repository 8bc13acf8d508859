// Templates of faces: text with holes, as in definitions.

/** The text in place of a missing value. */
export const MISSING = "–";

/**
 * The text of a template, cut at its braces: `{level / 10} %` is a hole and a literal. `{{` and `}}` stand for braces, and inside
 * quotes in a hole, braces are plain text.
 */
export class Template {
  /** @throws {Error} if the braces or a format are wrong */
  constructor(text) {
    this.parts = cut(text);
    /** The expressions in the holes. */
    this.expressions = this.parts.filter(isHole).map((part) => part.expression);
  }

  /** The text with the values filled in; a missing value is a dash, and so is the whole text if all are missing. */
  fill(values) {
    if (this.expressions.length > 0 && this.expressions.every((each) => isMissing(values[each]))) return MISSING;
    return this.parts.map((part) => (isHole(part) ? (part.write(values[part.expression]) ?? MISSING) : part)).join("");
  }

  /** The text with the values filled in; null if one is missing. */
  fillAll(values) {
    const texts = this.parts.map((part) => (isHole(part) ? part.write(values[part.expression]) : part));
    return texts.includes(null) ? null : texts.join("");
  }
}

/** Whether a value counts as true: a truth value itself, a number other than 0, a text that is not empty. */
export function isTrue(value) {
  return typeof value === "string" ? value !== "" : Boolean(value);
}

/** Whether there is no such value. */
export function isMissing(value) {
  return value === undefined || value === null || (typeof value === "number" && !Number.isFinite(value));
}

const isHole = (part) => typeof part !== "string";

function cut(text) {
  const parts = [];
  let literal = "";
  let index = 0;
  while (index < text.length) {
    const character = text[index];
    const isDoubled = text[index + 1] === character;
    if (character === "{" && !isDoubled) {
      const end = endOfHole(text, index);
      if (literal) parts.push(literal);
      literal = "";
      parts.push(hole(text.slice(index + 1, end)));
      index = end + 1;
    } else if (character === "}" && !isDoubled) {
      throw new Error("'}' without '{'; write '}}' for a brace");
    } else {
      literal += character;
      index += character === "{" || character === "}" ? 2 : 1;
    }
  }
  if (literal) parts.push(literal);
  return parts;
}

/** The index of the brace that closes a hole: the first one outside quotes. */
function endOfHole(text, start) {
  for (const index of unquoted(text, start + 1)) {
    if (text[index] === "}") return index;
    if (text[index] === "{") break;
  }
  throw new Error(`'${text.slice(start)}' has no '}'`);
}

function hole(inside) {
  const colon = lastColon(inside);
  const expression = (colon < 0 ? inside : inside.slice(0, colon)).trim();
  if (!expression) throw new Error("'{}' has no expression");
  return { expression, write: colon < 0 ? written : format(inside.slice(colon + 1).trim()) };
}

/** The last colon outside quotes and parentheses, which a format follows; -1 if there is none. */
function lastColon(text) {
  let colon = -1;
  let depth = 0;
  for (const index of unquoted(text, 0)) {
    if ("([".includes(text[index])) depth += 1;
    if (")]".includes(text[index])) depth -= 1;
    if (text[index] === ":" && depth === 0) colon = index;
  }
  return colon;
}

/** The indices of the characters outside quotes. */
function* unquoted(text, start) {
  let quote = "";
  for (let index = start; index < text.length; index += 1) {
    if (quote) {
      if (text[index] === quote) quote = "";
    } else if (text[index] === "'" || text[index] === '"') {
      quote = text[index];
    } else {
      yield index;
    }
  }
}

/** A value as text; null if there is none. */
function written(value) {
  return isMissing(value) ? null : String(value);
}

/** The function that writes a value in a format of the definition language: `dec(3)`, `hex(4, lower)`, `hexbytes`. */
function format(name) {
  const match = /^(dec|hex|hexbytes)(?:\((?:(\d+)(?:\.\.\d+)?)?(?:,? *(unsigned|lower))?\))?$/.exec(name);
  if (!match) throw new Error(`'${name}' is not a text format: dec, dec(3), hex, hex(4), hexbytes`);
  const [, kind, digits, option] = match;
  const size = name.includes("..") ? 0 : Number(digits ?? 0);
  const inCase = (text) => (option === "lower" ? text.toLowerCase() : text.toUpperCase());
  if (kind === "hexbytes") return (value) => (isMissing(value) ? null : inCase(String(value).replaceAll(" ", "")));
  const write = kind === "dec" ? decimal : (number) => inCase(number.toString(16)).padStart(size, "0");
  return (value) => (isMissing(value) || Number.isNaN(Number(value)) ? null : write(whole(value), size));
}

/** An integer that JavaScript would round arrives as text. */
function whole(value) {
  return /^-?\d{16,}$/.test(value) ? BigInt(value) : Math.round(Number(value));
}

/** Decimal digits with leading zeros; the size includes the sign. */
function decimal(number, size) {
  const sign = number < 0 ? "-" : "";
  return sign + String(number < 0 ? -number : number).padStart(size - sign.length, "0");
}
