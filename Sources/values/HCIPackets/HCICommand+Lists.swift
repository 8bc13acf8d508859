import Bluetooth

// Vol 4 Part E 7.8.15 to 7.8.17. The list may not change while advertising, scanning or initiating uses it.
extension HCICommand {
  /// LE Clear Filter Accept List.
  package static let clearAcceptList = Self(.clearAcceptList)

  /// LE Add Device To Filter Accept List.
  package static func addToAcceptList(_ peer: LinkAddress) -> Self {
    Self(.addToAcceptList, peer.parameterBytes)
  }

  /// LE Remove Device From Filter Accept List.
  package static func removeFromAcceptList(_ peer: LinkAddress) -> Self {
    Self(.removeFromAcceptList, peer.parameterBytes)
  }
}

// Vol 4 Part E 7.8.38 to 7.8.45, 7.8.77. None of them is allowed while the controller advertises, scans or initiates.
extension HCICommand {
  /// LE Add Device To Resolving List: the controller recognizes a peer by its identity resolving key. This side has none.
  package static func addToResolvingList(_ peer: LinkAddress, key: [UInt8]) -> Self {
    Self(.addToResolvingList, peer.parameterBytes + key + [UInt8](repeating: 0, count: 16))
  }

  /// LE Clear Resolving List.
  package static let clearResolvingList = Self(.clearResolvingList)

  /// LE Set Address Resolution Enable.
  package static func setAddressResolutionEnabled(_ isEnabled: Bool) -> Self {
    Self(.setAddressResolutionEnable, [isEnabled ? 1 : 0])
  }

  /// LE Set Privacy Mode: a peer may also use its identity address (Device Privacy Mode).
  package static func setDevicePrivacyMode(_ peer: LinkAddress) -> Self {
    Self(.setPrivacyMode, peer.parameterBytes + [0x01])
  }
}

extension LinkAddress {
  /// The kind and the address.
  var parameterBytes: [UInt8] { [kind == .random ? 1 : 0] + address.littleEndianBytes }
}
