// Builds elements. Data only ever becomes text or an attribute's value, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties and children.
 * @param {string} tag
 * @param {object} [properties] attributes by name; null, undefined and false leave one out, true makes it
 *   empty. `data` (an object) becomes data attributes, `on` listeners by event.
 * @param {...(Node|string|null|undefined|Array)} children
 */
export function el(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Likewise, of SVG. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

function set(element, name, value) {
  if (name === "data") return void Object.assign(element.dataset, value);
  if (name === "on") {
    for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    return;
  }
  if (value === null || value === undefined || value === false) return;
  element.setAttribute(name, value === true ? "" : value);
}

let lastNumber = 0;

/** An id that no other element has. */
export function freshID(stem) {
  lastNumber += 1;
  return `${stem}-${lastNumber}`;
}

/** Sets a text only if it differs, to avoid needless drawing. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes the children of a list those with these keys, in this order, and keeps elements that are there. */
export function keepChildren(parent, keys, make, known) {
  const wanted = new Set(keys);
  for (const [key, element] of known) {
    if (wanted.has(key)) continue;
    element.remove();
    known.delete(key);
  }
  keys.forEach((key, index) => {
    if (!known.has(key)) known.set(key, make(key));
    const element = known.get(key);
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
}
