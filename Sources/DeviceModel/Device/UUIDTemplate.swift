import Bluetooth

/// A fixed UUID, or bytes from settings that form one.
package enum UUIDTemplate: Sendable {
  case literal(BluetoothUUID)
  /// 2, 4 or 16 bytes, in the order in which a UUID is written: `{uuid}`, `{number: u16be}`.
  case bytes(ValueTemplate, source: String)

  /// The fixed UUID; nil if it comes from settings.
  package var literal: BluetoothUUID? {
    if case .literal(let uuid) = self { uuid } else { nil }
  }

  /// The text in the file.
  package var source: String {
    switch self {
    case .literal(let uuid): uuid.description
    case .bytes(_, let source): source
    }
  }

  /// The expressions that form it.
  package var expressions: [Expression] {
    if case .bytes(let template, _) = self { template.expressions } else { [] }
  }

  /// The UUID for these settings.
  ///
  /// - Throws: ``EvaluationError``, ``EncodingError`` or ``UUIDSizeError``.
  package func resolved(in context: EvaluationContext) throws -> BluetoothUUID {
    switch self {
    case .literal(let uuid): return uuid
    case .bytes(let template, _):
      let bytes = try template.render(in: context)
      guard let uuid = BluetoothUUID(littleEndianBytes: bytes.reversed()) else {
        throw UUIDSizeError(count: bytes.count)
      }
      return uuid
    }
  }
}

/// The bytes do not have the length of a UUID.
struct UUIDSizeError: Error, Hashable, CustomStringConvertible {
  var count: Int

  var description: String {
    "a UUID has 2, 4 or 16 bytes, not \(count)"
  }
}
