/// A checksum that a definition describes, by an expression.
package struct DefinedChecksum: Sendable {
  /// The expression as in the file.
  package let source: String
  /// In bytes: 1 to 4.
  package let width: Int
  package let byteOrder: ByteOrder
  /// How many times longer than a sum it takes for a byte.
  package let weight: Int
  /// The number of which the lowest bytes are sent.
  private let number: @Sendable ([UInt8]) throws(ChecksumFailure) -> Int64

  package static let widths = 1...4

  package init(
    source: String, width: Int, byteOrder: ByteOrder, weight: Int,
    number: @escaping @Sendable ([UInt8]) throws(ChecksumFailure) -> Int64
  ) {
    precondition(Self.widths.contains(width), "a checksum is one to four bytes wide")
    (self.source, self.width, self.byteOrder, self.weight) = (source, width, byteOrder, weight)
    self.number = number
  }

  func value(of bytes: Span<UInt8>) throws(ChecksumFailure) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(bytes.array)) & (.max >> UInt32(32 - 8 * width))
  }
}

extension DefinedChecksum: Hashable {
  /// Ignores the function, which the source determines.
  package static func == (left: Self, right: Self) -> Bool {
    (left.source, left.width, left.byteOrder) == (right.source, right.width, right.byteOrder)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(width)
  }
}

/// Why a checksum has no value for some bytes: the expression of a definition has none.
package struct ChecksumFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
