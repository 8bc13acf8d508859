// Reads an SVG, and keeps only the parts that draw.

import { isOwnAddress, isSafeValue, safeSheet, setStyle } from "./face-style.js";

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";

const ELEMENTS = new Set(
  `animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite
  feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter g
  image line linearGradient marker mask mpath path pattern polygon polyline radialGradient rect set stop svg switch symbol text
  textPath title tspan use`.split(/\s+/),
);

const ANIMATIONS = new Set(["animate", "animateMotion", "animateTransform", "set"]);

/** The attributes that paint, place and animate, and those with names. */
const ATTRIBUTES = new Set(
  `accumulate additive alignment-baseline amplitude aria-hidden aria-label attributeName azimuth baseFrequency baseline-shift begin
  bias by calcMode class clip-path clip-rule clipPathUnits color color-interpolation color-interpolation-filters cx cy d
  diffuseConstant direction display divisor dominant-baseline dur dx dy edgeMode elevation end exponent fill fill-opacity fill-rule
  filter filterUnits flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant
  font-weight from fr fx fy gradientTransform gradientUnits height id image-rendering in in2 intercept k1 k2 k3 k4 kernelMatrix
  keyPoints keySplines keyTimes lang lengthAdjust letter-spacing lighting-color limitingConeAngle marker-end marker-mid
  marker-start markerHeight markerUnits markerWidth mask mask-type maskContentUnits maskUnits max method min mode numOctaves offset
  opacity operator order orient origin overflow paint-order path pathLength patternContentUnits patternTransform patternUnits
  points pointsAtX pointsAtY pointsAtZ preserveAspectRatio primitiveUnits r radius refX refY repeatCount repeatDur restart result
  rotate rx ry scale seed shape-rendering slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation
  stitchTiles stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width style surfaceScale systemLanguage tableValues targetX targetY text-anchor text-decoration
  text-rendering textLength to transform transform-origin type values vector-effect viewBox visibility width word-spacing
  writing-mode x x1 x2 xChannelSelector y y1 y2 yChannelSelector z`.split(/\s+/),
);

/** The most elements that a face may draw, each `use` counted with the elements that it repeats. */
const MOST_ELEMENTS = 20_000;

/** The attributes that an animation must not change. */
const FIXED = new Set(["id", "class", "style", "attributeName", "begin", "end"]);

/** The drawing of an SVG text, without scripts and other active parts. */
export class Drawing {
  /** @throws {Error} with the place if the text is not an SVG */
  constructor(text) {
    /** The style sheets that belong to it. */
    this.sheets = [];
    /** The parts that were left out, in words: `script`, `onclick of circle`. */
    this.dropped = [];
    /** The `svg` element. */
    this.root = this.copy(parse(text));
    if (drawnSize(this.root, this.root) > MOST_ELEMENTS) throw new Error(`The face draws more than ${MOST_ELEMENTS} elements`);
  }

  /** Copies the permitted parts of an element into this document. */
  copy(source) {
    const copy = document.createElementNS(SVG, source.localName);
    for (const attribute of source.attributes) this.copyAttribute(attribute, source, copy);
    for (const child of source.childNodes) this.copyChild(child, copy);
    return copy;
  }

  copyChild(child, parent) {
    if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) {
      parent.append(child.data);
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      this.copyElement(child, parent);
    }
  }

  copyElement(child, parent) {
    const name = child.localName;
    if (child.namespaceURI !== SVG) return; // an editor's own data
    if (name === "style") {
      this.sheets.push(safeSheet(child.textContent));
    } else if (name === "a") {
      for (const inner of child.childNodes) this.copyChild(inner, parent);
    } else if (!ELEMENTS.has(name) || (ANIMATIONS.has(name) && !isHarmless(child))) {
      if (name !== "metadata") this.dropped.push(name);
    } else {
      parent.append(this.copy(child));
    }
  }

  copyAttribute(attribute, source, copy) {
    const { localName: name, namespaceURI: space, value } = attribute;
    if (name === "style" && !space) {
      setStyle(copy, value);
    } else if (name === "href" && (!space || space === XLINK)) {
      if (isPermittedAddress(value, source.localName)) copy.setAttribute("href", value.trim());
      else this.dropped.push(`href of ${source.localName}`);
    } else if (name === "space" && attribute.prefix === "xml") {
      copy.style.setProperty("white-space", value === "preserve" ? "pre" : "normal");
    } else if (!space && (ATTRIBUTES.has(name) || name.startsWith("data-")) && isPermittedValue(name, value)) {
      copy.setAttribute(name, value);
    } else if (!space && name !== "version" && name !== "xmlns") {
      this.dropped.push(`${name} of ${source.localName}`);
    }
  }
}

/** Bindings are text of the definition language, and are checked when their values are filled in. */
function isPermittedValue(name, value) {
  return name.startsWith("data-") || isSafeValue(value);
}

function isPermittedAddress(address, element) {
  return element === "image" ? isOwnAddress(address) : address.trim().startsWith("#");
}

/** Whether an animation changes only paint and place, and only of an element of the face. */
function isHarmless(animation) {
  const name = animation.getAttribute("attributeName");
  return animation.localName === "animateMotion" || (ATTRIBUTES.has(name) && !FIXED.has(name));
}

/** The `svg` element of a text. */
function parse(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const error = parsed.querySelector("parsererror");
  if (error) throw new Error(`The face is not well-formed: ${mistake(error.textContent)}`);
  const root = parsed.documentElement;
  if (root.localName !== "svg" || root.namespaceURI !== SVG) {
    throw new Error(`The face begins with <${root.nodeName}>, not with <svg xmlns="${SVG}">`);
  }
  return root;
}

/** The place and the mistake, from the words of the browser. */
function mistake(words) {
  const place = /line (?:number )?(\d+)(?: at|,)? column (\d+):?\s*(.*)/i.exec(words);
  if (!place) return words.trim();
  const reason = place[3].replace(/Below is a rendering.*/, "").trim() || words.split("\n")[0].trim();
  return `line ${place[1]}, column ${place[2]}: ${reason}`;
}

/** How many elements an element draws; what a `use` repeats counts each time. */
function drawnSize(element, root, known = new Map()) {
  if (known.has(element)) return known.get(element);
  known.set(element, 1); // of a 'use' that repeats itself, which browsers do not draw
  let size = 1;
  for (const child of element.children) size += drawnSize(child, root, known);
  if (element.localName === "use") {
    const repeated = root.querySelector(`[id="${CSS.escape(element.getAttribute("href")?.slice(1) ?? "")}"]`);
    if (repeated) size += drawnSize(repeated, root, known);
  }
  known.set(element, size);
  return size;
}
