/// Which centrals may connect to a device.
package enum AcceptedCentrals: Hashable, Sendable {
  case all
  /// Those with these identity addresses and, optionally, all that are bonded.
  case only([DeviceAddress], andBonded: Bool)

  package func contain(_ identity: DeviceAddress, isBonded: Bool) -> Bool {
    switch self {
    case .all: true
    case .only(let addresses, let andBonded): andBonded && isBonded || addresses.contains(identity)
    }
  }
}
