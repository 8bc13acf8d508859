import Bluetooth
import Framing

// A bond as an element of a YAML list.
extension KeptBond {
  /// The lines of one bond. Keys and configurations that have no name are left out.
  var text: String {
    var lines = [
      "central: \"\(bond.peer.address)\"", "address-type: \(bond.peer.kind.name)", "device: \"\(device)\"",
    ]
    if let key = bond.identityResolvingKey { lines.append("identity-resolving-key: \(Self.quoted(key))") }
    let keys = bond.longTermKeys.filter { $0.kind < LongTermKey.kindNames.count }
    if !keys.isEmpty { lines.append("long-term-keys:") }
    lines += keys.map { "  - \(Self.text(of: $0))" }
    let configurations = bond.configurations.sorted { $0.key < $1.key }.compactMap { id, number in
      ConfigurationNames.name(of: number).map { "\(QuotedText.write(id)): \($0)" }
    }
    if !configurations.isEmpty {
      lines.append("configurations: { \(configurations.joined(separator: ", ")) }")
    }
    if !bond.features.isEmpty { lines.append("client-features: [\(bond.features)]") }
    if let table = bond.table { lines.append("table: \(Self.quoted(table))") }
    return "  - " + lines.joined(separator: "\n    ") + "\n"
  }

  private static func text(of key: LongTermKey) -> String {
    "{ kind: \(LongTermKey.kindNames[Int(key.kind)]), role: \(LongTermKey.roleNames[key.isOfCentral ? 1 : 0]), "
      + "size: \(key.size), ediv: \(key.ediv), rand: \(quoted(key.rand)), value: \(quoted(key.value)) }"
  }

  private static func quoted(_ bytes: [UInt8]) -> String { "\"\(HexText.format(bytes))\"" }
}
