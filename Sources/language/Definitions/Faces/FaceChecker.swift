import DeviceModel

/// Checks the bindings of a face's attributes: expressions over the definition, and its controls.
struct FaceChecker {
  private let definition: PeripheralDefinition
  private let names: NameScope
  private let log: DiagnosticLog

  init(_ definition: PeripheralDefinition, _ log: DiagnosticLog) {
    (self.definition, self.log) = (definition, log)
    names = NameScope(of: definition)
  }

  /// The attributes that may follow values, as in `data-fill="rgb({red}, {green}, {blue})"`. The page has the same list.
  static let bound: Set<String> = [
    "text", "fill", "stroke", "stop-color", "flood-color", "color", "opacity", "fill-opacity",
    "stroke-opacity",
    "stop-opacity", "transform", "x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "x1", "y1", "x2",
    "y2", "d",
    "points", "offset", "stdDeviation", "stroke-width", "stroke-dasharray", "stroke-dashoffset", "font-size",
    "gradientTransform",
  ]
  private static let others = ["if", "press", "fit"]
  private static let prefix = "data-"

  func check(_ attribute: XMLScanner.Attribute) {
    guard attribute.name.hasPrefix(Self.prefix) else { return }
    let name = String(attribute.name.dropFirst(Self.prefix.count))
    switch name {
    case "if": check(expression: attribute.value, 0, attribute)
    case "press": check(control: attribute)
    case "fit": break
    case _ where Self.bound.contains(name): check(template: attribute)
    default: warn(ofUnknown: name, attribute)
    }
  }

  /// The page scales a drawing to its place, which requires a `viewBox`.
  func check(root: XMLElement) {
    guard root["viewBox"] == nil, let width = pixels(root["width"]), let height = pixels(root["height"])
    else {
      return
    }
    let name = root.name.unicodeScalars.count + 1
    log.warn(
      "without 'viewBox', the page cannot scale the drawing to fit",
      at: SourceRange(line: root.place.line, column: root.place.column, length: name),
      hint: "write viewBox=\"0 0 \(width) \(height)\"")
  }

  private func pixels(_ length: String?) -> String? {
    guard var length else { return nil }
    if length.hasSuffix("px") { length.removeLast(2) }
    return Double(length).map { $0 > 0 } ?? false ? length : nil
  }

  private func check(template attribute: XMLScanner.Attribute) {
    do {
      for case .hole(let hole) in try TemplateText(attribute.value).parts {
        check(expression: hole.name, hole.nameStart, attribute)
        if hole.encoding != nil { try check(format: hole) }
      }
    } catch {
      report(error, attribute)
    }
  }

  /// The formats that write text.
  private func check(format hole: TemplateText.Hole) throws(TextError) {
    let isText = ["dec", "hex", "hexbytes"].contains((hole.encoding ?? "").prefix { $0 != "(" }.trimmed)
    guard isText else {
      throw TextError(
        message: "'\(hole.encoding ?? "")' is not a text format", range: hole.encodingRange,
        hint: "dec, dec(3), hex, hex(4) or hexbytes")
    }
    _ = try hole.fieldEncoding()
  }

  /// - Parameter start: where it begins in the attribute's value, in scalars.
  private func check(expression text: String, _ start: Int, _ attribute: XMLScanner.Attribute) {
    do { _ = try ExpressionChecker.check(text, in: names) } catch {
      report(error.shifted(by: start), attribute)
    }
  }

  private func check(control attribute: XMLScanner.Attribute) {
    let known = definition.controls.map(\.name)
    guard !known.contains(attribute.value) else { return }
    let hint =
      known.isEmpty ? "the definition has no controls" : Suggestion.hint(for: attribute.value, in: known)
    log.error(
      "there is no control '\(attribute.value)'",
      at: range(0..<attribute.value.unicodeScalars.count, attribute),
      hint: hint)
  }

  private func warn(ofUnknown name: String, _ attribute: XMLScanner.Attribute) {
    guard let nearest = Suggestion.nearest(to: name, in: Self.bound.sorted() + Self.others) else { return }
    log.warn(
      "'\(attribute.name)' is not a binding", at: range(0..<1, attribute),
      hint: "did you mean '\(Self.prefix)\(nearest)'?")
  }

  private func report(_ error: TextError, _ attribute: XMLScanner.Attribute) {
    log.error(error.message, at: range(error.range, attribute), hint: error.hint)
  }

  private func range(_ range: Range<Int>, _ attribute: XMLScanner.Attribute) -> SourceRange {
    let start = SourcePosition(line: attribute.place.line, column: attribute.place.column + range.lowerBound)
    return SourceRange(start, SourcePosition(line: start.line, column: start.column + max(1, range.count)))
  }
}
