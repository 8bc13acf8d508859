import DeviceModel

/// Compares a file's structure with the language: unknown, missing and doubled keys, lists in place of
/// mappings, numbers out of range. The decoders may rely on the structure of an accepted file.
struct ShapeChecker {
  let log: DiagnosticLog

  func check(_ node: YAMLNode, against shape: Shape) {
    guard !log.isClosed else { return }
    switch shape {
    case .text: expectScalar(node)
    case .integer(let range): checkInteger(node, range)
    case .number: checkNumber(node)
    case .boolean: checkChoice(node, ["true", "false"])
    case .choice(let words): checkChoice(node, words)
    case .list(let element, _, let limit): checkList(node, element, limit)
    case .map(let key, let value, _, let limit): checkMap(node, key, value, limit)
    case .object(let object): checkObject(node, object())
    case .either(let words, let object): checkWord(node, words, or: object())
    case .eitherText(_, let other): if node.text == nil { checkNoText(node, other) }
    case .oneOrMore(let shape, let limit):
      if case .sequence = node.content {
        checkList(node, shape, limit)
      } else {
        check(node, against: shape)
      }
    }
  }

  private func expectScalar(_ node: YAMLNode) {
    if node.text == nil {
      let hint = node.isFlowMapping ? "quote it: \"{…}\" is text, {…} is a mapping" : nil
      log.error("expected text, found \(node.kindName)", at: node.range, hint: hint)
    }
  }

  /// Checks the value in place of a text.
  private func checkNoText(_ node: YAMLNode, _ other: Shape) {
    guard case .object(let shape) = other else { return check(node, against: other) }
    let object = shape()
    guard case .mapping(let entries) = node.content else {
      let keys = object.keys.map(\.name).joined(separator: ", ")
      return log.error(
        "expected text, found \(node.kindName)", at: node.range, hint: "or a mapping with \(keys)")
    }
    let isTemplate = entries.contains { $0.isTemplate(without: object) }
    if isTemplate { expectScalar(node) } else { checkObject(node, object) }
  }

  private func checkInteger(_ node: YAMLNode, _ range: ClosedRange<Int>) {
    guard let number = node.text.flatMap(IntegerText.parse) else {
      return log.error("expected a whole number, found \(node.kindName)", at: node.range)
    }
    if !range.contains(number) {
      log.error("\(number) is not in \(range.lowerBound)…\(range.upperBound)", at: node.range)
    }
  }

  private func checkNumber(_ node: YAMLNode) {
    guard node.text.flatMap(DecimalText.parse) == nil else { return }
    log.error("expected a number, found \(node.kindName)", at: node.range)
  }

  private func checkChoice(_ node: YAMLNode, _ words: [String]) {
    guard let text = node.text else {
      return log.error(
        "expected one of \(words.joined(separator: ", ")), found \(node.kindName)", at: node.range)
    }
    if !words.contains(text) {
      log.error("unknown word '\(text)'", at: node.range, hint: Suggestion.hint(for: text, in: words))
    }
  }

  private func checkWord(_ node: YAMLNode, _ words: [String], or object: ObjectShape) {
    guard let text = node.text else { return checkObject(node, object) }
    if object.keys.contains(where: { $0.name == text }) {
      log.error("'\(text)' of what?", at: node.range, hint: "write { \(text): … }")
    } else {
      checkChoice(node, words + object.alternatives)
    }
  }

  private func checkList(_ node: YAMLNode, _ element: Shape, _ limit: Int) {
    guard case .sequence(let elements) = node.content else {
      return log.error(
        "expected a list, found \(node.kindName)", at: node.range, hint: "write [a, b], or '- ' lines")
    }
    if elements.count > limit { return report(elements.count, limit, at: elements[limit].range) }
    for node in elements { check(node, against: element) }
  }

  /// There is no point in checking such a file further.
  private func report(_ count: Int, _ limit: Int, at range: SourceRange) {
    log.close(with: "\(count) in one list or mapping", at: range, hint: "at most \(limit) can stand here")
  }

  private func checkMap(_ node: YAMLNode, _ form: TextForm, _ value: Shape, _ limit: Int) {
    guard case .mapping(let entries) = node.content else {
      return log.error("expected a mapping of names, found \(node.kindName)", at: node.range)
    }
    if entries.count > limit { return report(entries.count, limit, at: entries[limit].key.range) }
    checkForDoubles(entries)
    for entry in entries {
      guard let key = entry.key.text else {
        log.error("expected a key, found \(entry.key.kindName)", at: entry.key.range)
        continue
      }
      if form == .identifier, !Identifier.isValid(key) {
        log.error("'\(key)' is not a name", at: entry.key.range, hint: Identifier.rule)
      }
      check(entry.value, against: value)
    }
  }

  private func checkObject(_ node: YAMLNode, _ object: ObjectShape) {
    if let group = object.group, object.isGroup(node) { return checkObject(node, group.shape()) }
    guard case .mapping(let entries) = node.content else {
      let keys = object.keys.map(\.name).joined(separator: ", ")
      return log.error(
        "expected \(object.name), found \(node.kindName)", at: node.range, hint: "a mapping with \(keys)")
    }
    checkForDoubles(entries)
    for entry in entries where !log.isClosed { checkEntry(entry, of: object) }
    for key in object.keys where key.isRequired && node[key.name] == nil { reportMissing(key, node, object) }
    checkRelations(node, of: object)
    checkVariants(node, of: object)
  }

  private func reportMissing(_ key: ObjectShape.Key, _ node: YAMLNode, _ object: ObjectShape) {
    log.error("\(object.name) needs '\(key.name)'", at: node.startRange, hint: key.summary)
  }

  /// Checks some of an object's keys, which must be there.
  func checkKeys(of node: YAMLNode, _ object: ObjectShape, where isMeant: (ObjectShape.Key) -> Bool) {
    for key in object.keys where isMeant(key) {
      guard let value = node[key.name] else {
        reportMissing(key, node, object)
        continue
      }
      check(value, against: key.shape)
    }
  }

  private func checkEntry(_ entry: YAMLNode.Entry, of object: ObjectShape) {
    guard let name = entry.key.text else {
      return log.error("expected a key, found \(entry.key.kindName)", at: entry.key.range)
    }
    guard let key = object.keys.first(where: { $0.name == name }) else {
      let hint = Suggestion.hint(for: name, in: object.keys.map(\.name))
      return log.error("\(object.name) has no key '\(name)'", at: entry.key.range, hint: hint)
    }
    check(entry.value, against: key.shape)
    if key.shape.isMissingContent(of: entry.value) {
      log.error("'\(name)' is empty", at: entry.value.range, hint: key.summary)
    }
  }

  private func checkForDoubles(_ entries: [YAMLNode.Entry]) {
    var seen: Set<String> = []
    for entry in entries where !log.isClosed {
      if let key = entry.key.text, !seen.insert(key).inserted {
        log.error("a second '\(key)'", at: entry.key.range, hint: "remove one of them")
      }
    }
  }
}

extension Shape {
  /// Whether a list or a mapping of names is empty and must not be.
  fileprivate func isMissingContent(of node: YAMLNode) -> Bool {
    switch (self, node.content) {
    case (.list(_, let least, _), .sequence(let elements)): elements.count < least
    case (.oneOrMore, .sequence(let elements)): elements.isEmpty
    case (.map(_, _, let least, _), .mapping(let entries)): entries.count < least
    default: false
    }
  }
}

extension YAMLNode {
  /// The first line of a node, for a mistake that concerns all of it.
  package var startRange: SourceRange {
    guard range.end.line != range.start.line else { return range }
    // Of a merged mapping, some of the keys are in other files.
    return entries.first { $0.key.range.source == range.source }?.key.range ?? range
  }

  fileprivate var isFlowMapping: Bool {
    if case .mapping = content { range.start.line == range.end.line } else { false }
  }
}

extension YAMLNode.Entry {
  /// Whether it is a hole of a template to which quotes are missing, `{index: u8}` or `{local-name}`, and no key.
  fileprivate func isTemplate(without object: ObjectShape) -> Bool {
    guard let text = value.text, !object.keys.contains(where: { $0.name == key.text }) else { return false }
    return text.isEmpty || (try? FieldEncoding(text)) != nil
  }
}
