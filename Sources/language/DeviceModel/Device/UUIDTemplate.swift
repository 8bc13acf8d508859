import Bluetooth

/// A fixed UUID, or bytes from settings that form one.
package enum UUIDTemplate: Sendable {
  case literal(BluetoothUUID)
  /// 2, 4 or 16 bytes, in the order in which a UUID is written: `{uuid}`, `{number: u16be}`.
  case bytes(ValueTemplate, source: String)
  /// A fixed UUID of 16 bits that the device declares in 128 bits.
  case long(BluetoothUUID)

  /// The fixed UUID; nil if it comes from settings.
  package var literal: BluetoothUUID? {
    switch self {
    case .literal(let uuid), .long(let uuid): uuid
    case .bytes: nil
    }
  }

  /// The bytes of a declaration of this UUID, to which the template has resolved (Core Specification, Vol 3 Part F 3.2.1).
  package func declarationBytes(_ uuid: BluetoothUUID) -> [UInt8] {
    if case .long = self { uuid.longLittleEndianBytes } else { uuid.attributeTypeBytes }
  }

  /// The text in the file; of a fixed UUID the shortest form.
  package var source: String {
    switch self {
    case .literal(let uuid), .long(let uuid): uuid.description
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
    case .literal(let uuid), .long(let uuid): return uuid
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
