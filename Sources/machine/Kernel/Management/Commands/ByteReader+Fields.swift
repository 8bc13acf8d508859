import Bluetooth
import Framing

/// The fields of return parameters.
extension ByteReader {
  /// A text in a field of fixed size, which zeros fill up.
  mutating func text(_ size: Int) -> String? {
    bytes(size).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  mutating func address() -> DeviceAddress? {
    bytes(6).flatMap { DeviceAddress(littleEndianBytes: $0) }
  }

  /// As many values as the number before them says.
  mutating func values<Value>(_ read: (inout Self) -> Value?) -> [Value]? {
    guard let count = number() else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      guard let value = read(&self) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension LinkAddress {
  /// The fields Address and Address_Type (bluez: doc/mgmt-api.txt, Disconnect).
  var fieldBytes: [UInt8] { address.littleEndianBytes + [kind == .public ? 1 : 2] }
}
