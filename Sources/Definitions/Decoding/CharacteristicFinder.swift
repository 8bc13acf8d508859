import DeviceModel

/// Finds the characteristics that other sections name, and reports names that no characteristic has.
struct CharacteristicFinder {
  let all: [CharacteristicDefinition]
  let log: DiagnosticLog
  private let indices: [String: Int]

  init(_ all: [CharacteristicDefinition], log: DiagnosticLog) {
    (self.all, self.log) = (all, log)
    indices = Dictionary(all.indices.map { (all[$0].id, $0) }) { first, _ in first }
  }

  /// - Parameter others: the other names that might have stood there.
  func characteristic(_ id: Scalar, orAt others: [String] = []) -> Int? {
    if let index = indices[id.text] { return index }
    let hint = Suggestion.hint(for: id.text, in: all.map(\.id) + others)
    log.error("no characteristic has the id '\(id.text)'", at: id.range, hint: hint)
    return nil
  }

  func writable(_ id: Scalar, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(id, orAt: others) else { return nil }
    if all[index].canBeWritten { return index }
    log.error(
      "'\(id.text)' cannot be written", at: id.range,
      hint: "add write or write-without-response to its properties")
    return nil
  }

  func readable(_ id: Scalar) -> Int? {
    guard let index = characteristic(id) else { return nil }
    if all[index].properties.contains(.read) { return index }
    log.error("'\(id.text)' cannot be read", at: id.range, hint: "add read to its properties")
    return nil
  }

  func notifying(_ id: Scalar, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(id, orAt: others) else { return nil }
    if all[index].canNotify { return index }
    log.error(
      "a central cannot subscribe to '\(id.text)'", at: id.range,
      hint: "add notify or indicate to its properties")
    return nil
  }

  /// A place where bytes arrive.
  func endpoint(_ name: Scalar) -> Rule.Endpoint? {
    if name.text == "wire" { return .wire }
    return writable(name, orAt: ["wire"]).map { .characteristic($0) }
  }

  /// Places that are named one by one.
  func endpoints(_ names: [Scalar]) -> [Rule.Endpoint] {
    var seen: Set<Rule.Endpoint> = []
    return names.compactMap { name in
      guard let endpoint = endpoint(name) else { return nil }
      if seen.insert(endpoint).inserted { return endpoint }
      log.error("a second '\(name.text)'", at: name.range, hint: "remove one of them")
      return nil
    }
  }
}
