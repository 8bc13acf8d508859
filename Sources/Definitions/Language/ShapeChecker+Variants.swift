extension ShapeChecker {
  /// Whether an object is one of the things that it can be, and has the keys of that one.
  func checkVariants(_ node: YAMLNode, of object: ObjectShape) {
    switch object.variants {
    case .keys(let variants):
      checkAlternatives(node, of: object)
      let present = node.entries.lazy.compactMap { entry in variants.first { $0.name == entry.key.text } }
      if let variant = present.first { checkCompanions(of: variant, among: variants, in: node, object) }
    case .words(let key, let variants):
      guard let variant = variants.first(where: { $0.name == node[key]?.text }) else { return }
      checkKeys(of: variant, "\(key) '\(variant.name)'", in: node, object)
    case nil: break
    }
  }

  private func checkAlternatives(_ node: YAMLNode, of object: ObjectShape) {
    let present = object.alternatives.filter { node[$0] != nil }
    guard !object.alternatives.isEmpty, present.count != 1 else { return }
    if present.isEmpty {
      let isEmpty = node.entries.allSatisfy { entry in
        object.keys.contains { $0.name == entry.key.text }
      }
      guard isEmpty else { return }  // the unknown key is what was meant, and is reported
      log.error(
        "\(object.name) says what it is", at: node.startRange,
        hint: "one of \(object.alternatives.joined(separator: ", "))")
    } else {
      log.error(
        "\(object.name) is one thing, not '\(present[0])' and '\(present[1])'",
        at: node[present[1]]!.range, hint: "keep one of them")
    }
  }

  private func checkCompanions(
    of variant: Variant, among variants: [Variant], in node: YAMLNode, _ object: ObjectShape
  ) {
    for entry in strangers(to: variant, in: node, object) where !object.alternatives.contains(entry.name) {
      let owners = variants.filter { $0.keys.contains(entry.name) }.map { "'\($0.name)'" }.sorted()
      log.error(
        "'\(entry.name)' does not go with '\(variant.name)'", at: entry.range,
        hint: "it goes with \(owners.joined(separator: " or "))")
    }
  }

  private func checkKeys(
    of variant: Variant, _ name: String, in node: YAMLNode, _ object: ObjectShape
  ) {
    for key in variant.keys where node[key] == nil {
      log.error("\(name) needs '\(key)'", at: node.startRange)
    }
    for entry in strangers(to: variant, in: node, object) {
      log.error(
        "\(name) has no '\(entry.name)'", at: entry.range,
        hint: "it has \(variant.keys.joined(separator: ", "))")
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
}
