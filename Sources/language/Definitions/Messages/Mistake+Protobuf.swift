import DeviceModel

/// Mistakes in a message of Protocol Buffers.
extension Mistake {
  static let wrongProtobuf = Self(
    "expected the numbers of fields with their names and types",
    "for example {protobuf(1 power: varint, 2 name: text)}")
  static let deepProtobuf = Self(
    "messages of Protocol Buffers are nested too deep",
    "at most \(ProtobufLayout.mostLevels) are possible; give the inner one the type bytes")
  static func protobufNumber(most: Int) -> Self {
    Self("Protocol Buffers numbers fields from 1 to \(most)", "for example {protobuf(1 power: varint)}")
  }
  static func doubledProtobufNumber(_ number: UInt64, _ first: String, _ second: String) -> Self {
    Self("'\(first)' and '\(second)' both have the number \(number)", "a field has a number of its own")
  }
  static let repeatedAmongExpressions = Self(
    "a repeated field in a message without a name", "write it under 'messages', where its fields have names")
  static let optionalMessage = Self(
    "a message is never written without a row", "leave out 'optional'")
  static let protobufInOptionalPart = Self(
    "an optional part cannot contain a message of Protocol Buffers without a name",
    "give it one, as in {body: protobuf(…)}")
  static func protobufType(_ type: String, _ hint: String?) -> Self {
    Self(
      "'\(type)' is not a type of Protocol Buffers",
      hint ?? "a number is varint, varint(signed), bool, u32le, i32le, f32le, u64le, i64le or f64le")
  }

  /// The names that `.proto` files use, and what to write.
  static let protobufTypes: [String: String] = {
    var types = [
      "string": "write text", "float": "write f32le", "double": "write f64le", "fixed32": "write u32le",
      "sfixed32": "write i32le", "fixed64": "write u64le", "sfixed64": "write i64le",
      "required": "write optional: it is written also if it is 0 or empty", "boolean": "write bool",
      "message": "write protobuf(…) with its fields",
      "map": "write repeated protobuf(1 key: …, 2 value: …)",
    ]
    for word in ["int32", "int64", "uint32", "uint64", "int", "uint"] { types[word] = "write varint" }
    types["enum"] = "write varint, or varint(off: 0, on: 1) with the names of its numbers"
    for word in ["sint32", "sint64", "sint"] { types[word] = "write varint(signed)" }
    return types
  }()
}
