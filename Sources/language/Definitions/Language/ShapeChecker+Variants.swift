/// The relations between the keys of an object.
extension ShapeChecker {
  /// Whether keys exclude or need each other.
  func checkRelations(_ node: YAMLNode, of object: ObjectShape) {
    for key in object.keys
    where (key.needs != nil || !key.excludes.isEmpty) && node[key.name] != nil {
      for other in key.excludes where node[other] != nil { reportBoth(other, key.name, in: node) }
      if let needed = key.needs, node[needed] == nil {
        let summary = object.keys.first { $0.name == needed }?.summary
        report(.missingKey(needed, of: .key(key.name), summary: summary), at: node.keyRange(key.name))
      }
    }
  }

  /// Whether an object is one of its variants, and has the keys of that variant.
  func checkVariants(_ node: YAMLNode, of object: ObjectShape) {
    switch object.variants {
    case .keys(let variants):
      if checkElse(of: node, object) { return }
      let present = present(variants, in: node)
      if present.isEmpty { return reportNone(of: variants, in: node, object) }
      for variant in present.dropFirst() { reportBoth(present[0].name, variant.name, in: node, object) }
      checkKeys(of: present[0], .key(present[0].name), in: node)
      reportStrangers(to: present[0], among: variants, in: node, object)
    case .words(let key, let variants):
      guard let variant = variants.first(where: { $0.name == node[key]?.text }) else { return }
      checkKeys(of: variant, .word(variant.name, under: key), in: node)
      for entry in strangers(to: variant, in: node, object) {
        report(
          .keyOfOtherWord(entry.name, word: variant.name, under: key, known: variant.keys), at: entry.range)
      }
    case nil: break
    }
  }

  /// Reports an `else` without a condition, or without an action; returns whether it has.
  private func checkElse(of node: YAMLNode, _ object: ObjectShape) -> Bool {
    let keys = Language.Action.outline.keys
    guard object.name == Language.Action.outline.shape.name, node[keys.otherwise.name] != nil else {
      return false
    }
    let hasCondition = node[keys.condition.name] != nil
    let isAlone = node.entries.allSatisfy {
      [keys.condition.name, keys.otherwise.name].contains($0.key.text)
    }
    if hasCondition, !isAlone { return false }
    report(hasCondition ? .elseWithoutAction : .elseAlone, at: node.keyRange(keys.otherwise.name))
    return true
  }

  /// In the order of the file. A key of another variant is not a variant itself.
  private func present(_ variants: [Variant], in node: YAMLNode) -> [Variant] {
    let present = node.entries.compactMap { entry in variants.first { $0.name == entry.key.text } }
    return present.filter { variant in !present.contains { $0.has(variant.name) } }
  }

  private func reportNone(of variants: [Variant], in node: YAMLNode, _ object: ObjectShape) {
    let isKnown = node.entries.allSatisfy { entry in object.keys.contains { $0.name == entry.key.text } }
    guard isKnown else { return }  // the unknown key is what was meant, and is reported
    let body = Language.Action.outline.keys.repeated.name
    if object.name == Language.Action.outline.shape.name, node[body] != nil {
      return report(.bodyOfNothing, at: node.keyRange(body))
    }
    report(.missingVariant(object: object.name, known: variants.map(\.name)), at: node.startRange)
  }

  private func checkKeys(of variant: Variant, _ part: Mistake.KeyOwner, in node: YAMLNode) {
    for key in variant.needed where node[key] == nil {
      report(.missingKey(key, of: part), at: node.startRange)
    }
    let present = variant.alternatives.filter { node[$0] != nil }
    if present.isEmpty, !variant.alternatives.isEmpty {
      report(.missingAlternative(variant.alternatives, of: part), at: node.startRange)
    }
    for other in present.dropFirst() { reportBoth(present[0], other, in: node) }
  }

  private func reportStrangers(
    to variant: Variant, among variants: [Variant], in node: YAMLNode, _ object: ObjectShape
  ) {
    for entry in strangers(to: variant, in: node, object) where !object.alternatives.contains(entry.name) {
      let owners = variants.filter { $0.has(entry.name) }.map(\.name)
      report(.keyOfOtherVariant(entry.name, variant: variant.name, owners: owners), at: entry.range)
    }
  }

  /// The keys that only other variants have.
  private func strangers(
    to variant: Variant, in node: YAMLNode, _ object: ObjectShape
  ) -> [(name: String, range: SourceRange)] {
    node.entries.compactMap { entry in
      guard let name = entry.key.text, !object.mayHave(name, variant) else { return nil }
      return object.keys.contains { $0.name == name } ? (name, entry.key.range) : nil
    }
  }

  /// Reports two keys that cannot be combined.
  private func reportBoth(
    _ first: String, _ second: String, in node: YAMLNode, _ object: ObjectShape? = nil
  ) {
    let (one, other) = (node.keyRange(first), node.keyRange(second))
    if object?.name == Language.Action.outline.shape.name {
      return report(.twoActions(first, second), at: one.isBefore(other) ? other : one)
    }
    guard one.source != other.source else {
      return report(.conflictingKeys(first, second), at: one.isBefore(other) ? other : one)
    }
    // The file that extends the other is read first.
    let isFirst = one.source < other.source
    report(
      .conflictingKeysOfFiles(first, second, extended: isFirst ? second : first), at: isFirst ? one : other)
  }
}

extension YAMLNode {
  /// The place of a key that is present.
  fileprivate func keyRange(_ name: String) -> SourceRange {
    entries.first { $0.key.text == name }?.key.range ?? startRange
  }
}
