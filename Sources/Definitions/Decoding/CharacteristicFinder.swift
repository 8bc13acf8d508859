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
    log.error(
      AttributeMistake.unknownCharacteristic(id: id.text, known: all.map(\.id) + others), at: id.range)
    return nil
  }

  func writable(_ id: Scalar, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(id, orAt: others) else { return nil }
    if all[index].canBeWritten { return index }
    log.error(AttributeMistake.notWritable(id: id.text), at: id.range)
    return nil
  }

  func readable(_ id: Scalar) -> Int? {
    guard let index = characteristic(id) else { return nil }
    if all[index].properties.contains(.read) { return index }
    log.error(AttributeMistake.notReadable(id: id.text), at: id.range)
    return nil
  }

  func notifying(_ id: Scalar, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(id, orAt: others) else { return nil }
    if all[index].canNotify { return index }
    log.error(AttributeMistake.notNotifying(id: id.text), at: id.range)
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
      log.error(NameMistake.second(name.text), at: name.range)
      return nil
    }
  }
}
