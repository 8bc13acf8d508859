import Bluetooth
import Framing

/// Reads the bonds in a file, and reports all mistakes in them.
struct KeptBondReader {
  let log: DiagnosticLog

  func read(_ node: YAMLNode?) -> [KeptBond] {
    guard let node, node.text?.isEmpty != true else { return [] }
    var bonds: [KeptBond] = []
    for element in list(node, of: "bonds") {
      guard let new = bond(element) else { continue }
      if bonds.contains(where: { $0.device == new.device && $0.bond.peer == new.bond.peer }) {
        log.error(.secondBond("\(new.bond.peer)"), at: element.startRange)
      }
      bonds.append(new)
    }
    return bonds
  }

  private func bond(_ node: YAMLNode) -> KeptBond? {
    let what = "a bond"
    guard
      check(
        node, what,
        [
          "central", "address-type", "device", "identity-resolving-key", "long-term-keys", "configurations",
          "client-features", "table",
        ]),
      let peer = required("central", of: node, what).flatMap(address),
      let device = required("device", of: node, what).flatMap(address)
    else { return nil }
    let kind = node["address-type"].flatMap { word($0, of: LinkAddress.Kind.names) }
    var bond = Bond(with: LinkAddress(peer, kind == 1 ? .random : .public))
    bond.identityResolvingKey = node["identity-resolving-key"].flatMap { bytes($0, 16) }
    if let keys = node["long-term-keys"] {
      bond.longTermKeys = list(keys, of: "keys").compactMap(longTermKey)
    }
    bond.configurations = configurations(node["configurations"])
    if let features = node["client-features"] {
      bond.features = list(features, of: "features").compactMap(feature).reduce([]) { $0.union($1) }
    }
    bond.table = node["table"].flatMap { bytes($0, Bond.tableSize) }
    return KeptBond(bond, of: device)
  }

  private func longTermKey(_ node: YAMLNode) -> LongTermKey? {
    let what = "a long term key"
    guard check(node, what, ["kind", "role", "size", "ediv", "rand", "value"]) else { return nil }
    let kind = required("kind", of: node, what).flatMap { word($0, of: LongTermKey.kindNames) }
    let role = required("role", of: node, what).flatMap { word($0, of: LongTermKey.roleNames) }
    let size = required("size", of: node, what).flatMap { number($0, in: 7...16) }
    let ediv = required("ediv", of: node, what).flatMap { number($0, in: 0...0xFFFF) }
    let rand = required("rand", of: node, what).flatMap { bytes($0, 8) }
    let value = required("value", of: node, what).flatMap { bytes($0, 16) }
    guard let kind, let role, let size, let ediv, let rand, let value else { return nil }
    return LongTermKey(
      kind: UInt8(kind), isOfCentral: role == 1, size: size, ediv: UInt16(ediv), rand: rand, value: value)
  }

  private func feature(_ node: YAMLNode) -> ClientFeatures? {
    word(node, of: ClientFeatures.allNames).map { ClientFeatures.namedMembers[$0].member }
  }

  private func configurations(_ node: YAMLNode?) -> [String: UInt16] {
    guard let node else { return [:] }
    guard case .mapping(let entries) = node.content else {
      log.error(.noKeys(of: "CHARACTERISTIC: notify", found: node.kindName), at: node.startRange)
      return [:]
    }
    var read: [String: UInt16] = [:]
    for entry in entries {
      guard let id = text(entry.key, "the id of a characteristic"),
        let index = word(entry.value, of: Array(ConfigurationNames.all.dropFirst()))
      else { continue }
      if read.updateValue(UInt16(index + 1), forKey: id) != nil {
        log.error(.second(id), at: entry.key.range)
      }
    }
    return read
  }
}

// MARK: Parts

extension KeptBondReader {
  private func list(_ node: YAMLNode, of what: String) -> [YAMLNode] {
    guard case .sequence(let elements) = node.content else {
      log.error(.noList(of: what, found: node.kindName), at: node.startRange)
      return []
    }
    return elements
  }

  /// Whether it is a mapping, whose keys are then checked.
  private func check(_ node: YAMLNode, _ what: String, _ known: [String]) -> Bool {
    guard case .mapping(let entries) = node.content else {
      log.error(.noKeys(of: what, found: node.kindName), at: node.startRange)
      return false
    }
    var seen: Set<String> = []
    for entry in entries {
      let name = entry.key.text ?? entry.key.kindName
      guard known.contains(name) else {
        log.error(.unknownKey(name, of: what, known: known), at: entry.key.range)
        continue
      }
      if !seen.insert(name).inserted { log.error(.second(name), at: entry.key.range) }
    }
    return true
  }

  private func required(_ key: String, of node: YAMLNode, _ what: String) -> YAMLNode? {
    if let value = node[key] { return value }
    log.error(.missingInBond(key, of: what), at: node.startRange)
    return nil
  }

  private func text(_ node: YAMLNode, _ what: String) -> String? {
    if let text = node.text { return text }
    log.error(.noText(what, found: node.kindName), at: node.startRange)
    return nil
  }

  private func address(_ node: YAMLNode) -> DeviceAddress? {
    if let address = node.text.flatMap({ DeviceAddress($0) }) { return address }
    log.error(.noAddress(found: node.kindName), at: node.startRange)
    return nil
  }

  private func bytes(_ node: YAMLNode, _ count: Int) -> [UInt8]? {
    guard let text = text(node, "bytes in hex") else { return nil }
    do throws(HexText.ParseError) {
      let bytes = try HexText.parse(text)
      if bytes.count == count { return bytes }
      log.error(.wrongLength(bytes.count, expected: count), at: node.range)
    } catch {
      log.error(.noHex(error), at: node.range(at: error.offset))
    }
    return nil
  }

  private func number(_ node: YAMLNode, in range: ClosedRange<Int>) -> Int? {
    if let number = node.text.flatMap({ Int($0) }), range.contains(number) { return number }
    log.error(.noNumber(found: node.kindName, range), at: node.startRange)
    return nil
  }

  /// The index of a word.
  private func word(_ node: YAMLNode, of known: [String]) -> Int? {
    if let index = known.firstIndex(where: { $0 == node.text }) { return index }
    log.error(.noWord(found: node.kindName, known: known), at: node.startRange)
    return nil
  }
}
