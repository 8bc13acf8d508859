import Framing

/// One message of a device, as a template that both recognises and builds it: `A5 06 03 {month: u8} {xor8}`.
package struct MessageTemplate: Sendable {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var encoding: FieldEncoding
  }

  package enum Part: Sendable {
    case literal([UInt8])
    /// The field with this index in ``MessageTemplate/fields``.
    case field(Int)
    /// A checksum over the message's bytes from the first index up to the second; nil: up to the checksum.
    case checksum(Checksum, from: Int, through: Int?)
  }

  package var name: String
  package var parts: [Part]
  package var fields: [Field]
  /// The template as it was written.
  package var source: String

  /// The number of bytes of every message; nil when a field takes all that remain.
  package var size: Int? {
    var size = 0
    for part in parts {
      guard let partSize = self.size(of: part) else { return nil }
      size += partSize
    }
    return size
  }

  package func size(of part: Part) -> Int? {
    switch part {
    case .literal(let bytes): bytes.count
    case .field(let index): fields[index].encoding.size
    case .checksum(let checksum, _, _): checksum.width
    }
  }
}

extension MessageTemplate {
  /// The fields' values when `frame` is this message; nil when it is another.
  package func parse(_ frame: [UInt8]) -> [Value]? {
    guard let open = openFieldSize(in: frame) else { return nil }
    var values: [Value] = []
    values.reserveCapacity(fields.count)
    var index = 0
    for part in parts {
      let end = index + (size(of: part) ?? open)
      switch part {
      case .literal(let bytes): guard frame[index..<end].elementsEqual(bytes) else { return nil }
      case .field(let field): values.append(fields[field].encoding.decode(frame[index..<end]))
      case .checksum(let checksum, let from, let through):
        let coverageEnd = through.map { $0 + 1 } ?? index
        guard from <= coverageEnd, coverageEnd <= index,
          checksum.compute(frame[from..<coverageEnd]).elementsEqual(frame[index..<end])
        else { return nil }
      }
      index = end
    }
    return values
  }

  /// How many bytes of `frame` are left for the one field that takes all that remain; nil when the sizes
  /// do not fit together.
  private func openFieldSize(in frame: [UInt8]) -> Int? {
    if let size { return size == frame.count ? 0 : nil }
    let fixed = parts.reduce(0) { $0 + (size(of: $1) ?? 0) }
    return frame.count >= fixed ? frame.count - fixed : nil
  }

  /// The message with these values, one for each of ``fields`` and of its type.
  package func build(_ values: [Value]) throws(EncodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size ?? 32)
    for part in parts {
      switch part {
      case .literal(let literal): bytes += literal
      case .field(let index): try fields[index].encoding.encode(values[index], into: &bytes)
      case .checksum(let checksum, let from, let through):
        let coverageEnd = through.map { $0 + 1 } ?? bytes.count
        guard from <= coverageEnd, coverageEnd <= bytes.count else {
          throw .tooShort(count: bytes.count, needed: max(from, coverageEnd))
        }
        bytes += checksum.compute(bytes[from..<coverageEnd])
      }
    }
    return bytes
  }
}
