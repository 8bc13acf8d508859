/// What the keys of an object have to do with one another.
extension ShapeChecker {
  /// Whether keys exclude or need each other.
  func checkRelations(_ node: YAMLNode, of object: ObjectShape) {
    for key in object.keys where node[key.name] != nil {
      for other in key.excludes where node[other] != nil { reportBoth(other, key.name, in: node) }
      if let needed = key.needs, node[needed] == nil {
        log.error("'\(key.name)' needs '\(needed)'", at: node.keyRange(key.name))
      }
    }
  }

  /// Whether an object is one of the things that it can be, and has the keys of that one.
  func checkVariants(_ node: YAMLNode, of object: ObjectShape) {
    switch object.variants {
    case .keys(let variants):
      let present = present(variants, in: node)
      if present.isEmpty { return reportNone(of: variants, in: node, object) }
      for variant in present.dropFirst() { reportBoth(present[0].name, variant.name, in: node) }
      checkKeys(of: present[0], "'\(present[0].name)'", in: node)
      reportStrangers(to: present[0], among: variants, in: node, object)
    case .words(let key, let variants):
      guard let variant = variants.first(where: { $0.name == node[key]?.text }) else { return }
      checkKeys(of: variant, "\(key) '\(variant.name)'", in: node)
      for entry in strangers(to: variant, in: node, object) {
        log.error(
          "\(key) '\(variant.name)' has no '\(entry.name)'", at: entry.range,
          hint: variant.keys.isEmpty ? nil : "it has \(variant.keys.joined(separator: ", "))")
      }
    case nil: break
    }
  }

  /// In the order of the file. A key that belongs to another variant is no variant itself.
  private func present(_ variants: [Variant], in node: YAMLNode) -> [Variant] {
    let present = node.entries.compactMap { entry in variants.first { $0.name == entry.key.text } }
    return present.filter { variant in !present.contains { $0.keys.contains(variant.name) } }
  }

  private func reportNone(of variants: [Variant], in node: YAMLNode, _ object: ObjectShape) {
    let isKnown = node.entries.allSatisfy { entry in object.keys.contains { $0.name == entry.key.text } }
    guard isKnown else { return }  // the unknown key is what was meant, and is reported
    let names = variants.map(\.name)
    log.error(
      "\(object.name) needs \(names.count == 2 ? names.quoted("or") : "one of these keys")",
      at: node.startRange, hint: names.count == 2 ? nil : names.joined(separator: ", "))
  }

  private func checkKeys(of variant: Variant, _ name: String, in node: YAMLNode) {
    for key in variant.needed where node[key] == nil {
      log.error("\(name) needs '\(key)'", at: node.startRange)
    }
    let present = variant.alternatives.filter { node[$0] != nil }
    if present.isEmpty, !variant.alternatives.isEmpty {
      log.error("\(name) needs \(variant.alternatives.quoted("or"))", at: node.startRange)
    }
    for other in present.dropFirst() { reportBoth(present[0], other, in: node) }
  }

  private func reportStrangers(
    to variant: Variant, among variants: [Variant], in node: YAMLNode, _ object: ObjectShape
  ) {
    for entry in strangers(to: variant, in: node, object) where !object.alternatives.contains(entry.name) {
      let owners = variants.filter { $0.keys.contains(entry.name) }.map(\.name)
      log.error(
        "'\(entry.name)' does not go with '\(variant.name)'", at: entry.range,
        hint: "it goes with \(owners.quoted("or"))")
    }
  }

  /// The keys that only other variants have.
  private func strangers(
    to variant: Variant, in node: YAMLNode, _ object: ObjectShape
  ) -> [(name: String, range: SourceRange)] {
    let known = Set(object.keys.map(\.name)).subtracting(object.keys(of: variant))
    return node.entries.compactMap { entry in
      entry.key.text.flatMap { known.contains($0) ? ($0, entry.key.range) : nil }
    }
  }

  /// Reports two keys of which there may be one.
  private func reportBoth(_ first: String, _ second: String, in node: YAMLNode) {
    let (one, other) = (node.keyRange(first), node.keyRange(second))
    let message = "'\(first)' and '\(second)' exclude each other"
    guard one.source != other.source else {
      return log.error(message, at: one.isBefore(other) ? other : one, hint: "keep one of them")
    }
    // The file that extends the other is read first.
    let isFirst = one.source < other.source
    log.error(
      message, at: isFirst ? one : other,
      hint: "write '\(isFirst ? second : first): ~' as well, which removes what is extended")
  }
}

extension YAMLNode {
  /// The place of a key that is present.
  fileprivate func keyRange(_ name: String) -> SourceRange {
    entries.first { $0.key.text == name }?.key.range ?? startRange
  }
}

extension [String] {
  /// `'a', 'b' or 'c'`.
  fileprivate func quoted(_ word: String) -> String {
    let names = map { "'\($0)'" }
    guard let last = names.last, count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
