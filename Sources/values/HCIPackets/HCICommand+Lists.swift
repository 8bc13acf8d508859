import Bluetooth

// Vol 4 Part E 7.8.15 to 7.8.17. The list may not change while scanning or initiating uses it.
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

extension LinkAddress {
  /// The kind and the address.
  var parameterBytes: [UInt8] { [kind == .random ? 1 : 0] + address.littleEndianBytes }
}
