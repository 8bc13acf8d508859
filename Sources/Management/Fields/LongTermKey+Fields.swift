import Bluetooth

/// The fields of a key in New Long Term Key and in Load Long Term Keys (bluez: doc/mgmt-api.txt), 29 bytes after the
/// address.
extension LongTermKey {
  init(reading fields: inout FieldReader) throws(MalformedFields) {
    self.init(
      kind: try fields.number(), isOfCentral: try fields.number(UInt8.self) != 0,
      size: Int(try fields.number(UInt8.self)), ediv: try fields.number(), rand: Array(try fields.bytes(8)),
      value: Array(try fields.bytes(16)))
  }

  var fieldBytes: [UInt8] {
    [kind, isOfCentral ? 1 : 0, UInt8(clamping: size)] + ediv.littleEndianBytes + rand + value
  }
}
