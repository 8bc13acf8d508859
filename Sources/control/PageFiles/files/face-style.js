// The styles that a face may have: properties that paint, and no address outside the face.

/** The properties that a face may set: those that paint shapes and text, and the geometry of shapes. */
const PROPERTIES = new Set(
  `alignment-baseline animation animation-delay animation-direction animation-duration animation-fill-mode
  animation-iteration-count animation-name animation-play-state animation-timing-function baseline-shift clip-path clip-rule color
  color-interpolation color-interpolation-filters cx cy d display dominant-baseline fill fill-opacity fill-rule filter flood-color
  flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style font-variant
  font-variant-caps font-variant-ligatures font-variant-numeric font-weight height image-rendering isolation letter-spacing
  lighting-color marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order r rx ry
  shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering text-transform transform transform-box
  transform-origin transition transition-delay transition-duration transition-property transition-timing-function vector-effect
  visibility white-space width word-spacing writing-mode x y`.split(/\s+/),
);

/** Whether a value names nothing outside the face: no URL but a fragment or an image in the text itself. */
export function isSafeValue(value) {
  if (/\\|@import|image\s*\(|image-set|src\s*\(|cross-fade|element\s*\(|javascript:/i.test(value)) return false;
  return [...value.matchAll(/url\s*\(\s*["']?\s*([^"')]*)/gi)].every(([, address]) => isOwnAddress(address));
}

/** Whether an address is a fragment of the face, or an image in the text itself. */
export function isOwnAddress(address) {
  return address.trim().startsWith("#") || /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i.test(address.trim());
}

/** Sets the safe properties of a `style` attribute one by one, as a page without inline styles demands. */
export function setStyle(element, text) {
  const declarations = new CSSStyleSheet();
  declarations.replaceSync(`a { ${text.replace(/[{}]/g, "")} }`);
  const style = declarations.cssRules[0]?.style ?? [];
  for (const name of style) {
    if (isSafe(style, name)) element.style.setProperty(name, style.getPropertyValue(name), style.getPropertyPriority(name));
  }
}

/** The safe parts of the style sheet in a face's `style` element. */
export function safeSheet(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  clean(sheet);
  return sheet;
}

function clean(list) {
  for (let index = list.cssRules.length - 1; index >= 0; index -= 1) {
    const rule = list.cssRules[index];
    if (!isPermitted(rule)) {
      list.deleteRule(index);
    } else {
      if (rule.style) cleanDeclarations(rule.style);
      if (rule.cssRules && !(rule instanceof CSSKeyframesRule)) clean(rule);
    }
  }
}

function isPermitted(rule) {
  if (rule instanceof CSSKeyframesRule) {
    for (const frame of rule.cssRules) cleanDeclarations(frame.style);
    return true;
  }
  if (rule instanceof CSSStyleRule) return !/:host|::/.test(rule.selectorText);
  return rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule;
}

function cleanDeclarations(style) {
  for (const name of [...style]) {
    if (!isSafe(style, name)) style.removeProperty(name);
  }
}

function isSafe(style, name) {
  return (PROPERTIES.has(name) || name.startsWith("--")) && isSafeValue(style.getPropertyValue(name));
}
