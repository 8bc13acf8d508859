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

  /// The most bits of one part, and of all parts.
  package static let mostBitsOfPart = 64
  package static let mostBits = 8 * 64

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
    var mask = [UInt8](repeating: 0, count: width)
    var value = mask
    for part in parts {
      guard case .fixed(let number) = part.content else { continue }
      put(part.mask, at: part, into: &mask, from: 0)
      put(number, at: part, into: &value, from: 0)
    }
    return zip(mask, value).map { KnownBits(mask: $0, value: $1) }
  }
}

// MARK: Bytes

extension BitLayout {
  /// The index of the byte with this weight: the least significant one has 0.
  private func place(ofWeight weight: Int) -> Int { order == .littleEndian ? weight : width - 1 - weight }

  /// Sets the bits of a part, which are 0, in bytes that begin at an index.
  func put(_ number: UInt64, at part: Part, into bytes: inout [UInt8], from start: Int) {
    let (first, last) = (Int(part.shift) / 8, (Int(part.shift) + part.count - 1) / 8)
    for weight in first...last {
      let distance = 8 * weight - Int(part.shift)
      let bits = distance < 0 ? number << UInt64(-distance) : number >> UInt64(distance)
      bytes[start + place(ofWeight: weight)] |= UInt8(truncatingIfNeeded: bits)
    }
  }

  /// The number of a part in bytes of this layout.
  func number(of part: Part, in bytes: Span<UInt8>) -> UInt64 {
    let (first, last) = (Int(part.shift) / 8, (Int(part.shift) + part.count - 1) / 8)
    var number: UInt64 = 0
    for weight in first...last {
      let distance = 8 * weight - Int(part.shift)
      let byte = UInt64(bytes[place(ofWeight: weight)])
      number |= distance < 0 ? byte >> UInt64(-distance) : byte << UInt64(distance)
    }
    return number & part.mask
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
