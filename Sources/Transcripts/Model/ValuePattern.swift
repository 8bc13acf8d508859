import DeviceModel

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
