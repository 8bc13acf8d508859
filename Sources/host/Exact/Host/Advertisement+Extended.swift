import Bluetooth

extension Advertisement {
  /// The keys of a definition that need extended advertising.
  package var extendedKeys: [String] {
    let keys = [
      ("channels", channels != .all), ("directed", target != nil), ("phy", phy != nil),
      ("sets", !furtherSets.isEmpty),
    ]
    return keys.filter(\.1).map(\.0)
  }
}
