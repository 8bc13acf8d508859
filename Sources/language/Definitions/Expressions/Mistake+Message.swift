import DeviceModel

/// Mistakes in messages in expressions.
extension Mistake {
  static func nameOfArgument(_ name: String) -> Self {
    Self(
      "an argument has no name here",
      "write the value without '\(name):'; only the fields of bytes-of(…) have names")
  }
  static let wrongBytesOf = Self(
    "expected the name of a message", "for example bytes-of(query, index: 3)")
  static func fieldWithoutName(of message: MessageTemplate) -> Self {
    let fields = message.fields.map { "\($0.name): …" }
    return Self(
      "the fields of a message have names here",
      "write \((["bytes-of(\(message.name)"] + fields).joined(separator: ", ")))")
  }
  static func unfilledArgument(_ field: String, message: String) -> Self {
    Self("the field '\(field)' of '\(message)' has no value", "add \(field): … between the parentheses")
  }
}
