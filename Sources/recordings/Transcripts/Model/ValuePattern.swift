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

  /// Both sides around their first difference; nil if they are short.
  func excerpts(comparedWith found: [UInt8]) -> (expected: String, found: String)? {
    switch self {
    case .bytes(let pattern): Excerpt.write(pattern, found)
    case .message(let pattern): pattern.excerpts(comparedWith: found)
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
