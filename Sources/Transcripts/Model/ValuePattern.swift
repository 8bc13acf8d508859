import DeviceModel

/// An expected value: bytes, or a message of the definition.
package enum ValuePattern: Sendable {
  case bytes(BytePattern)
  case message(MessagePattern)

  /// Describes the first difference; nil when the value matches.
  package func difference(from found: [UInt8]) -> String? {
    switch self {
    case .bytes(let pattern): pattern.difference(from: found)
    case .message(let pattern): pattern.difference(from: found)
    }
  }

  /// Whether more bytes could complete these to a match.
  package func canContinue(_ found: [UInt8]) -> Bool {
    switch self {
    case .bytes(let pattern): pattern.canContinue(found)
    case .message(let pattern): pattern.canContinue(found)
    }
  }
}
