/// The address of a device on an LE link, of one of two kinds (Core Specification, Vol 6 Part B 1.3).
package struct LinkAddress: Hashable, Sendable {
  package enum Kind: Sendable {
    /// Assigned by the IEEE.
    case `public`
    /// Chosen by the device.
    case random
  }

  package var address: DeviceAddress
  package var kind: Kind

  package init(_ address: DeviceAddress, _ kind: Kind = .public) {
    self.address = address
    self.kind = kind
  }
}

extension LinkAddress: CustomStringConvertible {
  package var description: String {
    kind == .public ? address.description : "\(address) (random)"
  }
}
