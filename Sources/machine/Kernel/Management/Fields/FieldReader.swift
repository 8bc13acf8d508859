import Bluetooth

/// Takes the fields of a message one after the other.
struct FieldReader {
  /// The bytes that no field has taken yet.
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }
}

/// A message is too short for its fields, or a field has a value that is not defined.
struct MalformedFields: Error {}

extension FieldReader {
  mutating func bytes(_ count: Int) throws(MalformedFields) -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw MalformedFields() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// A number, the least significant byte first.
  mutating func number<Number: FixedWidthInteger>(
    _: Number.Type = Number.self
  ) throws(MalformedFields) -> Number {
    let bytes = try bytes(Number.bitWidth / 8)
    return bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// A text in a field of fixed size, which zeros fill up.
  mutating func text(_ count: Int) throws(MalformedFields) -> String {
    String(decoding: try bytes(count).prefix { $0 != 0 }, as: UTF8.self)
  }

  mutating func address() throws(MalformedFields) -> DeviceAddress {
    guard let address = DeviceAddress(try bytes(6).reversed()) else { throw MalformedFields() }
    return address
  }
}

extension LinkAddress {
  /// The fields Address and Address_Type (bluez: doc/mgmt-api.txt, Disconnect).
  var fieldBytes: [UInt8] { address.littleEndianBytes + [kind == .public ? 1 : 2] }
}

extension FixedWidthInteger {
  /// The bytes of this number, the least significant first, as in every message.
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
