import Definitions

/// A value that must come: bytes, or a message of the definition.
package enum ValuePattern: Sendable {
  case bytes(BytePattern)
  case message(MessagePattern)

  /// How a value differs from what must come; nil when it does not.
  package func difference(from found: [UInt8]) -> String? {
    switch self {
    case .bytes(let pattern): pattern.difference(from: found)
    case .message(let pattern): pattern.difference(from: found)
    }
  }

  /// Whether these bytes may be the beginning of the value.
  package func canContinue(_ found: [UInt8]) -> Bool {
    switch self {
    case .bytes(let pattern): pattern.canContinue(found)
    case .message(let pattern): pattern.canContinue(found)
    }
  }
}

/// A message whose fields must have certain values: `day-total packets=5`.
package struct MessagePattern: Sendable {
  /// What a field must be.
  package enum FieldPattern: Hashable, Sendable {
    case value(Value)
    case bytes(BytePattern)
  }

  package var message: MessageTemplate
  /// By the field's index; a field without an entry may be anything.
  package var fields: [Int: FieldPattern]

  func difference(from found: [UInt8]) -> String? {
    guard let values = message.parse(found) else { return "it is no \(message.name)" }
    for index in message.fields.indices {
      guard let expected = fields[index] else { continue }
      let name = message.fields[index].name
      switch (expected, values[index]) {
      case (.bytes(let pattern), .bytes(let bytes)):
        if let difference = pattern.difference(from: bytes) { return "\(name): \(difference)" }
      case (.value(let wanted), let value):
        if wanted != value { return "\(name) is \(written(value)), not \(written(wanted))" }
      case (.bytes, _): preconditionFailure("a pattern of bytes was checked to stand for bytes")
      }
    }
    return nil
  }

  /// No message is longer than this.
  private static let longest = 4096

  func canContinue(_ found: [UInt8]) -> Bool { found.count < message.size ?? Self.longest }

  private func written(_ value: Value) -> String { ValueText.write(value) }
}
