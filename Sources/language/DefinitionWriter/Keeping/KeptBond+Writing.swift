import Bluetooth
import Definitions
import Framing

// A bond as an element of a YAML list.
extension KeptBond {
  /// Keys and configurations that have no name are left out.
  var yaml: YAMLValue {
    var entries: [YAMLValue.Entry] = [
      .init("central", .text(bond.peer.address.description)),
      .init("address-type", .word(bond.peer.kind.name)),
      .init("device", .text(device.description)),
    ]
    entries.add("identity-resolving-key", bond.identityResolvingKey.map(Self.bytes))
    let keys = bond.longTermKeys.filter { $0.kind < LongTermKey.kindNames.count }
    if !keys.isEmpty { entries.add("long-term-keys", .list(keys.map(Self.key), .block)) }
    let configurations = bond.configurations.sorted { $0.key < $1.key }.compactMap { id, number in
      ConfigurationNames.name(of: number).map { YAMLValue.Entry(id, .word($0)) }
    }
    if !configurations.isEmpty { entries.add("configurations", .map(configurations, .flow)) }
    if !bond.features.isEmpty {
      entries.add("client-features", .list(bond.features.names.map { .word($0) }, .flow))
    }
    entries.add("table", bond.table.map(Self.bytes))
    return .object(entries, .block)
  }

  private static func key(_ key: LongTermKey) -> YAMLValue {
    .object(
      [
        .init("kind", .word(LongTermKey.kindNames[Int(key.kind)])),
        .init("role", .word(LongTermKey.roleNames[key.isOfCentral ? 1 : 0])),
        .init("size", .number(key.size)),
        .init("ediv", .number(key.ediv)), .init("rand", bytes(key.rand)), .init("value", bytes(key.value)),
      ], .flow)
  }

  private static func bytes(_ bytes: [UInt8]) -> YAMLValue { .quoted(HexText.format(bytes)) }
}
