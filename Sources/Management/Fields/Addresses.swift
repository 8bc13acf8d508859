import Bluetooth

extension LinkAddress {
  /// The fields Address and Address_Type (bluez: doc/mgmt-api.txt, Disconnect).
  var fieldBytes: [UInt8] { address.littleEndianBytes + [kind == .public ? 1 : 2] }
}

extension FieldReader {
  /// The address of an LE device; an address of BR/EDR, type 0, is malformed here.
  mutating func linkAddress() throws(MalformedFields) -> LinkAddress {
    let address = try address()
    switch try number(UInt8.self) {
    case 1: return LinkAddress(address, .public)
    case 2: return LinkAddress(address, .random)
    default: throw MalformedFields()
    }
  }
}
