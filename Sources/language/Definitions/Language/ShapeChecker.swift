import DeviceModel

/// Compares a file's structure with the language: unknown, missing and doubled keys, lists in place of
/// mappings, numbers out of range. The decoders may rely on the structure of an accepted file.
struct ShapeChecker {
  let log: DiagnosticLog

  func check(_ node: YAMLNode, against shape: Shape) {
    guard !log.isClosed else { return }
    switch shape {
    case .text(let form): checkText(node, form)
    case .choiceOr(_, let form): checkText(node, form)
    case .integer(let range): checkInteger(node, range)
    case .number: checkNumber(node)
    case .boolean: checkChoice(node, ["true", "false"])
    case .choice(let words): checkChoice(node, words)
    case .list(let element, _, let limit): checkList(node, element, limit)
    case .map(let key, let value, _, let limit): checkMap(node, key, value, limit)
    case .object(let object): checkObject(node, object())
    case .either(let words, let object): checkWord(node, words, or: object())
    case .eitherText(let form, let other):
      if node.text == nil { checkNoText(node, other) } else { checkText(node, form) }
    case .rows(let list, let row, let object):
      if case .mapping = node.content, let object = Optional(object()), node.isComputed(by: object) {
        checkObject(node, object)
      } else if case .mapping = node.content {
        check(node, against: row)
      } else {
        check(node, against: list)
      }
    case .named(_, let shape): check(node, against: shape())
    case .oneOrMore(let shape, let limit):
      switch (node.content, shape) {
      case (.sequence, _): checkList(node, shape, limit)
      case (.mapping, .text(.identifier)): reportUnexpected(node, expected: .names)
      default: check(node, against: shape)
      }
    }
  }

  func report(_ mistake: Mistake, at range: SourceRange) { log.error(mistake, at: range) }

  func reportUnexpected(_ node: YAMLNode, expected: Mistake.ExpectedNode) {
    report(.unexpected(node, expected: expected), at: node.range)
  }

  private func expectScalar(_ node: YAMLNode) {
    if node.text == nil { reportUnexpected(node, expected: .text) }
  }

  private func checkText(_ node: YAMLNode, _ form: TextForm) {
    expectScalar(node)
    guard form.isForPeople, !node.readsEscapes, let escape = node.text.flatMap(RawEscape.init) else { return }
    log.warn(.rawEscape(escape.text), at: node.range(at: escape.offset, length: escape.text.count))
  }

  /// Checks the value in place of a text.
  private func checkNoText(_ node: YAMLNode, _ other: Shape) {
    guard case .object(let shape) = other else { return check(node, against: other) }
    let object = shape()
    guard case .mapping(let entries) = node.content else {
      return reportUnexpected(node, expected: .textOrObject(keys: object.keys.map(\.name)))
    }
    let isTemplate = entries.contains { $0.isTemplate(without: object) }
    if isTemplate { expectScalar(node) } else { checkObject(node, object) }
  }

  private func checkInteger(_ node: YAMLNode, _ range: ClosedRange<Int>) {
    guard let number = node.text.flatMap(IntegerText.parse) else {
      return reportUnexpected(node, expected: .integer)
    }
    if !range.contains(number) { report(.outOfRange(number, range), at: node.range) }
  }

  private func checkNumber(_ node: YAMLNode) {
    guard node.text.flatMap(DecimalText.parse) == nil else { return }
    reportUnexpected(node, expected: .number)
  }

  private func checkChoice(_ node: YAMLNode, _ words: [String]) {
    guard let text = node.text else { return reportUnexpected(node, expected: .word(words)) }
    if words.contains(text) { return }
    report(
      words == Language.versions ? .unknownVersion(text) : .unknownWord(text, known: words), at: node.range)
  }

  private func checkWord(_ node: YAMLNode, _ words: [String], or object: ObjectShape) {
    guard let text = node.text else { return checkObject(node, object) }
    if words.contains(text) { return }
    report(Self.mistake(inWord: text, words, object), at: node.range)
  }

  private static func mistake(
    inWord text: String, _ words: [String], _ object: ObjectShape
  ) -> Mistake {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard object.alternatives.contains(parts.first ?? "") || object.keys.contains(where: { $0.name == text })
    else { return .unknownWordOrObject(text, words: words, keys: object.alternatives) }
    return parts.count == 2 ? .keyWithValueAsWord(parts[0], parts[1]) : .keyAsWord(text)
  }

  private func checkList(_ node: YAMLNode, _ element: Shape, _ limit: Int) {
    guard case .sequence(let elements) = node.content else {
      return reportUnexpected(node, expected: .list)
    }
    if elements.count > limit { return close(elements.count, limit, at: elements[limit].range) }
    for node in elements { check(node, against: element) }
  }

  /// Such a file is not checked further.
  private func close(_ count: Int, _ limit: Int, at range: SourceRange) {
    log.close(with: .tooMany(count, most: limit), at: range)
  }

  private func checkMap(_ node: YAMLNode, _ form: TextForm, _ value: Shape, _ limit: Int) {
    guard case .mapping(let written) = node.content else {
      return reportUnexpected(node, expected: .map(form))
    }
    if written.count > limit { return close(written.count, limit, at: written[limit].key.range) }
    let entries = whole(written)
    checkForDoubles(entries)
    for entry in entries {
      guard let key = entry.key.text else {
        reportUnexpected(entry.key, expected: .key)
        continue
      }
      if form == .identifier, !Identifier.isValid(key) {
        let isPath =
          value.hasRows && key.split(separator: ".").map(String.init).allSatisfy(Identifier.isValid)
        log.error(isPath ? .pathOfField(key) : .notName(key), at: entry.key.range)
      }
      if form == .signature, Signature(key) == nil {
        let isCut = key.contains("(") != key.contains(")")
        if isCut, !key.contains("(") { continue }  // the rest of one
        log.error(isCut ? .cutSignature(key) : .noSignature(key), at: entry.key.range)
        if isCut { continue }
      }
      check(entry.value, against: value)
      if value.isMissingContent(of: entry.value) {
        report(.emptyValue(key: key, summary: "give it one, or a list of them"), at: entry.value.range)
      }
    }
  }

  private func checkObject(_ node: YAMLNode, _ object: ObjectShape) {
    if let group = object.group, object.isGroup(node) { return checkObject(node, group.shape()) }
    guard case .mapping(let written) = node.content else {
      return reportNoObject(node, object)
    }
    let entries = whole(written)
    if let key = object.elseIf(in: entries) { return report(.elseIf(key.text ?? ""), at: key.range) }
    checkForDoubles(entries)
    for entry in entries where !log.isClosed { checkEntry(entry, in: node, of: object) }
    let unknown = object.unknownKeys(in: entries)
    if unknown.isEmpty || !isAnotherObject(node, than: object, unknown) {
      let misspelt = unknown.isEmpty ? [] : misspelt(unknown, in: node, of: object)
      for key in object.keys where key.isRequired && node[key.name] == nil && !misspelt.contains(key.name) {
        reportMissing(key, node, object)
      }
    }
    checkRelations(node, of: object)
    checkVariants(node, of: object)
  }

  private func reportMissing(_ key: ObjectShape.Key, _ node: YAMLNode, _ object: ObjectShape) {
    report(.missingKey(key.name, of: .object(object.name), summary: key.summary), at: node.startRange)
  }

  /// Checks some of an object's required keys.
  func checkKeys(of node: YAMLNode, _ object: ObjectShape, where isMeant: (ObjectShape.Key) -> Bool) {
    for key in object.keys where isMeant(key) {
      guard let value = node[key.name] else {
        reportMissing(key, node, object)
        continue
      }
      check(value, against: key.shape)
    }
  }

  private func checkEntry(_ entry: YAMLNode.Entry, in node: YAMLNode, of object: ObjectShape) {
    guard let name = entry.key.text else { return reportUnexpected(entry.key, expected: .key) }
    guard let key = object.keys.first(where: { $0.name == name }) else {
      return reportUnknown(name, entry, in: node, of: object)
    }
    if entry.value.text == "", !key.shape.isText {
      return report(.emptyValue(key: name, summary: key.summary), at: entry.key.range)
    }
    check(entry.value, against: key.shape)
    if key.shape.isMissingContent(of: entry.value) {
      report(.emptyValue(key: name, summary: key.summary), at: entry.value.range)
    }
  }

  /// The entries of a mapping, without the rest of a text that a comma has cut, which it reports.
  private func whole(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    guard entries.contains(where: { $0.value.text?.isEmpty == true }) else { return entries }
    var whole: [YAMLNode.Entry] = []
    for entry in entries {
      if entry.value.text?.isEmpty == true, let cut = whole.last?.value, let text = cut.text, text.isCut {
        log.cutLines.insert(cut.range.start.line)
        if !log.hasError(at: cut.range) { report(.cutText(text), at: cut.range) }
      } else {
        whole.append(entry)
      }
    }
    return whole
  }

  private func checkForDoubles(_ entries: [YAMLNode.Entry]) {
    guard entries.count > 1 else { return }
    var seen = Set<String>(minimumCapacity: entries.count)
    for entry in entries where !log.isClosed {
      if let key = entry.key.text, !seen.insert(key).inserted {
        log.error(.second(key), at: entry.key.range)
      }
    }
  }
}

extension Shape {
  /// Whether a text is allowed there, which may be empty.
  fileprivate var isText: Bool {
    switch self {
    case .text, .eitherText, .choiceOr: true
    case .oneOrMore(let shape, _): shape.isText
    default: false
    }
  }

  /// Whether a list or a mapping of names is empty but must not be.
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
    // Some keys of a merged mapping are in other files.
    return entries.first { $0.key.range.source == range.source }?.key.range ?? range
  }
}

extension String {
  /// Whether a parenthesis or a bracket in it is not closed.
  fileprivate var isCut: Bool {
    utf8.count { "([".utf8.contains($0) } > utf8.count { ")]".utf8.contains($0) }
  }
}

extension YAMLNode.Entry {
  /// Whether it is a hole of a template without its quotes, `{index: u8}` or `{local-name}`, and not a key.
  fileprivate func isTemplate(without object: ObjectShape) -> Bool {
    guard let text = value.text, !object.keys.contains(where: { $0.name == key.text }) else { return false }
    return text.isEmpty || (try? FieldEncoding(text)) != nil
  }
}
