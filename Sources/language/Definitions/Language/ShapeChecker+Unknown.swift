/// Unknown keys, and texts in place of objects.
extension ShapeChecker {
  /// Reports a value in place of an object.
  func reportNoObject(_ node: YAMLNode, _ object: ObjectShape) {
    let parts = (node.text ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, object.keys.contains(where: { $0.name == parts[0] }) {
      return report(.noSpaceAfterColon(parts[0], parts[1]), at: node.range)
    }
    reportUnexpected(node, expected: .object(name: object.name, keys: object.keys.map(\.name)))
  }

  /// Reports a key that an object does not have.
  func reportUnknown(_ name: String, _ entry: YAMLNode.Entry, in node: YAMLNode, of object: ObjectShape) {
    let known = object.keys.map(\.name)
    let meant = meaning(of: name, in: node, object)
    let isAction = object.name == Language.Action.outline.shape.name
    let isAlone = node.entries.count { $0.key.text != Language.Action.outline.keys.condition.name } == 1
    if name == Language.Action.outline.keys.otherwise.name, object.group != nil {
      report(.elseOfRule, at: entry.key.range)
    } else if name == "timers", object.name == Language.root.name {
      report(.timerSection, at: entry.key.range)
    } else if [Language.Framing.outline.shape.name, Language.Framing.directed.name].contains(object.name),
      Self.fragmentWords.contains(name)
    {
      report(.unknownKey(name, object: object.name, hint: Mistake.fragmentsAsLayer), at: entry.key.range)
    } else if isAction, node[Language.Action.outline.keys.send.name] != nil, let value = entry.value.text,
      let hint = Mistake.hint(forWishOfSending: name, value)
    {
      report(.unknownKey(name, object: object.name, hint: hint), at: entry.key.range)
    } else if object.isAdvertised, let hint = Mistake.hint(forAdvertising: name) {
      report(.unknownKey(name, object: object.name, hint: hint), at: entry.key.range)
    } else if isAction, isAlone, meant == nil, let value = entry.value.text, Identifier.isValid(name) {
      report(.unknownAction(name, value: value), at: entry.key.range)
    } else {
      let owner = meant == nil ? Self.owner(of: name, insteadOf: object) : nil
      report(
        .unknownKey(name, object: object.name, known: known, meant: meant, owner: owner), at: entry.key.range)
    }
  }

  /// Words for fragments with a header.
  private static let fragmentWords: Set<String> = [
    "join", "split", "fragment", "fragments", "chunk", "chunks", "header", "reassemble",
  ]

  /// The object that has a key, with its article.
  private static func owner(of key: String, insteadOf object: ObjectShape) -> String? {
    let near = object.name == Language.setting.name ? [Language.variable] : []
    let objects =
      near + [
        Language.Characteristic.outline.shape, Language.Service.outline.shape, Language.Action.outline.shape,
        Language.Rule.outline.shape, Language.Framing.outline.shape, Language.Advertisement.outline.shape,
        Language.root,
      ]
    return objects.first { object in object.keys.contains { $0.name == key } }?.name
  }

  /// Whether a node has a key of another object, like a characteristic among services; then no key is missing.
  func isAnotherObject(_ node: YAMLNode, than object: ObjectShape, _ unknown: [String]) -> Bool {
    unknown.contains { key in
      meaning(of: key, in: node, object) == nil && Self.owner(of: key, insteadOf: object) != nil
    }
  }

  /// The keys that unknown ones probably mean, which are then not missing.
  func misspelt(_ unknown: [String], in node: YAMLNode, of object: ObjectShape) -> Set<String> {
    Set(unknown.compactMap { meaning(of: $0, in: node, object) })
  }

  /// The missing key that an unknown one probably means.
  private func meaning(of name: String, in node: YAMLNode, _ object: ObjectShape) -> String? {
    let known = object.keys.map(\.name)
    return Synonym.meaning(of: name, in: known) { node[$0] == nil } ?? Suggestion.nearest(to: name, in: known)
  }
}

extension ObjectShape {
  fileprivate var isAdvertised: Bool {
    [Language.mainAdvertisement, Language.advertisingSet, Language.AdvertisedName.outline.shape].contains {
      $0.name == name
    }
  }

  /// The key of an action that other languages write for an `else` with an `if`; then the keys after it are not its own.
  func elseIf(in entries: [YAMLNode.Entry]) -> YAMLNode? {
    guard name == Language.Action.outline.shape.name else { return nil }
    let words = ["elif", "elsif", "elseif", "else-if", "else if"]
    return entries.first { words.contains($0.key.text ?? "") }?.key
  }

  /// The keys of a mapping that the object does not have.
  func unknownKeys(in entries: [YAMLNode.Entry]) -> [String] {
    var unknown: [String] = []
    for entry in entries {
      if let key = entry.key.text, !keys.contains(where: { $0.name == key }) { unknown.append(key) }
    }
    return unknown
  }
}
