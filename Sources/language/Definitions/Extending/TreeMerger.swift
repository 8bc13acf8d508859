import Bluetooth

/// Lays a definition's tree over that of the one it extends.
///
/// Mappings are merged key by key, and `~` removes a key. The ``ObjectShape/merging`` of their
/// elements decides how lists are merged. Other values are replaced. Each node keeps its range, and so its file.
struct TreeMerger {
  let log: DiagnosticLog

  /// - Parameter shape: the shape of the place; nil if the language has none.
  func merge(_ own: YAMLNode, onto extended: YAMLNode, _ shape: Shape?) -> YAMLNode {
    if shape?.isOneThing == true { return own }
    switch (own.content, extended.content) {
    case (.mapping(let entries), .mapping(let others)):
      return own.with(.mapping(merge(entries, onto: others, shape)))
    case (.sequence(let elements), .sequence(let others)):
      return own.with(.sequence(merge(elements, onto: others, shape?.element)))
    default: return own
    }
  }

  /// Keeps the order of the extended mapping; new keys come last.
  private func merge(
    _ own: [YAMLNode.Entry], onto extended: [YAMLNode.Entry], _ shape: Shape?
  ) -> [YAMLNode.Entry] {
    var places: [String: Int] = [:]
    for (index, entry) in extended.enumerated() {
      if let key = entry.key.text, places[key] == nil { places[key] = index }
    }
    var merged = extended.map(Optional.some)
    var added: [YAMLNode.Entry] = []
    for entry in own {
      // A doubled key is added at the end, where the check reports it.
      guard let key = entry.key.text, let index = places.removeValue(forKey: key) else {
        added.append(entry)
        continue
      }
      let value = merge(entry.value, onto: extended[index].value, shape?.value(under: key))
      merged[index] = entry.value.isNull ? nil : YAMLNode.Entry(key: entry.key, value: value)
    }
    return merged.compactMap(\.self) + added
  }

  private func merge(_ own: [YAMLNode], onto extended: [YAMLNode], _ element: ObjectShape?) -> [YAMLNode] {
    switch element?.merging {
    case .inFront: return own + extended
    case .byIdentity: return mergeByIdentity(own, onto: extended, element)
    case .replaced, nil: return own
    }
  }

  private func mergeByIdentity(
    _ own: [YAMLNode], onto extended: [YAMLNode], _ element: ObjectShape?
  ) -> [YAMLNode] {
    var identities = IdentityTable(extended)
    var merged = extended
    var added: [YAMLNode] = []
    for node in own {
      if let index = identities.take(node) {
        merged[index] = merge(node, onto: extended[index], element.map { element in .object { element } })
      } else {
        added.append(node)
      }
    }
    return merged + added
  }

  /// The tree without the remaining `~`, which remove nothing and are reported.
  func withoutRemovals(_ node: YAMLNode) -> YAMLNode {
    guard node.hasRemovals else { return node }
    return switch node.content {
    case .scalar: node
    case .sequence(let elements): node.with(.sequence(elements.map(withoutRemovals)))
    case .mapping(let entries):
      node.with(
        .mapping(
          entries.compactMap { entry in
            if entry.value.isNull {
              reportRemoval(entry)
              return nil
            }
            return YAMLNode.Entry(key: entry.key, value: withoutRemovals(entry.value))
          }))
    }
  }

  private func reportRemoval(_ entry: YAMLNode.Entry) {
    let (key, removal) = (entry.key.text ?? "", entry.value.text ?? "")
    log.error(.nothingToRemove(key: key, removal: removal), at: entry.value.range)
  }
}

extension YAMLNode {
  /// Whether a `~` in it removes a key.
  fileprivate var hasRemovals: Bool {
    switch content {
    case .scalar: false
    case .sequence(let elements): elements.contains(where: \.hasRemovals)
    case .mapping(let entries): entries.contains { $0.value.isNull || $0.value.hasRemovals }
    }
  }
}

/// Finds the element of a list that another refers to: the one with its id, else the one with its UUID.
private struct IdentityTable {
  private var byUUID: [String: [Int]] = [:]
  /// An element without an id is named by its UUID.
  private var byName: [String: Int] = [:]
  private var taken: Set<Int> = []

  init(_ nodes: [YAMLNode]) {
    for (index, node) in nodes.enumerated().reversed() {
      if let uuid = Self.normal(node["uuid"]) { byUUID[uuid, default: []].append(index) }
      if let name = Self.normal(node["id"] ?? node["uuid"]) { byName[name] = index }
    }
  }

  /// The index of the element. Each element is found only once.
  mutating func take(_ node: YAMLNode) -> Int? {
    if let index = take(named: Self.normal(node["id"])) { return index }
    guard let uuid = Self.normal(node["uuid"]) else { return nil }
    while let index = byUUID[uuid]?.popLast() {
      if taken.insert(index).inserted { return index }
    }
    return take(named: uuid)
  }

  private mutating func take(named name: String?) -> Int? {
    guard let name, let index = byName[name], taken.insert(index).inserted else { return nil }
    return index
  }

  /// The same text for all spellings of a UUID.
  private static func normal(_ node: YAMLNode?) -> String? {
    node?.text.map { BluetoothUUID($0)?.fullText ?? $0 }
  }
}
