import Bluetooth

extension LinkAddress {
  /// The fields Address and Address_Type (bluez: doc/mgmt-api.txt, Disconnect).
  var fieldBytes: [UInt8] { address.littleEndianBytes + [kind == .public ? 1 : 2] }
}
