package import EventLoop

/// A value of any D-Bus type.
///
/// Some values cannot be sent (an array whose elements differ in type, a string with a NUL): sending one throws
/// ``DBusError/invalid(what:value:)``. A value from the bus is always valid.
package enum DBusValue: Equatable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(DBusSignature)
  /// Sending duplicates it; the value owns a received one.
  case fileDescriptor(FileDescriptor)
  /// An array of bytes, `ay`.
  case bytes([UInt8])
  /// Any other array, with the signature of one element, which gives an empty array its type.
  case array(of: DBusSignature, [DBusValue])
  case structure([DBusValue])
  /// One entry of a dictionary; only valid as an element of an array.
  indirect case dictEntry(key: DBusValue, value: DBusValue)
  indirect case variant(DBusValue)
}

extension DBusValue {
  /// The signature of the value, for example `a{sv}`; meaningless for a value that cannot be sent.
  package var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .fileDescriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element.string
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .dictEntry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }
}
