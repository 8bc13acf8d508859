import Framing

/// Numbers that share some bytes.
package struct BitLayout: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case fixed(UInt64)
    case slot(Int)
  }

  package struct Part: Hashable, Sendable {
    /// Bits.
    package var count: Int
    package var content: Content
    /// The names of the numbers of a slot, if they have any; no other number is read then.
    package var names: NamedNumbers?
    /// The distance from the least significant bit.
    fileprivate(set) var shift: UInt64 = 0

    package init(count: Int, content: Content, names: NamedNumbers? = nil) {
      self.count = count
      self.content = content
      self.names = names
    }
  }

  /// The most bits of all parts.
  package static let mostBits = 64

  /// From the most significant bits down.
  package let parts: [Part]
  package let order: ByteOrder
  /// In bytes.
  package let width: Int

  package init(parts: [Part], order: ByteOrder) {
    var parts = parts
    var shift: UInt64 = 0
    for index in parts.indices.reversed() {
      parts[index].shift = shift
      shift += UInt64(parts[index].count)
    }
    (self.parts, self.order, width) = (parts, order, Int(shift) / 8)
  }

  /// Whether some of its numbers are read by name.
  var hasNames: Bool { parts.contains { $0.names != nil } }

  /// The bits that are always the same.
  var patterns: [KnownBits] {
    var (mask, value): (UInt64, UInt64) = (0, 0)
    for part in parts {
      guard case .fixed(let number) = part.content else { continue }
      mask |= part.mask << part.shift
      value |= number << part.shift
    }
    return zip(order.bytes(of: mask, width: width), order.bytes(of: value, width: width)).map { mask, value in
      KnownBits(mask: mask, value: value)
    }
  }
}

extension BitLayout.Part {
  var mask: UInt64 { .max >> (64 - UInt64(count)) }

  /// The number of a slot with this value.
  func number(of value: Value) throws(EncodingError) -> UInt64 {
    switch value {
    case .text(let name): return UInt64(bitPattern: try names?.number(named: name) ?? 0)
    case .integer(let number):
      try FieldEncoding.bits(count).check(value)
      return UInt64(bitPattern: number)
    default: preconditionFailure("a number was checked to stand here")
    }
  }
}
