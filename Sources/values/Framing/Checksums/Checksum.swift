/// Computes the check bytes of a frame.
///
/// It never changes, and each frame needs some. As a class, it costs nothing to pass on.
package final class Checksum: Sendable {
  /// The name in a definition file, without the byte order suffix.
  package let name: String
  package let algorithm: ChecksumAlgorithm
  package let byteOrder: ByteOrder

  package init(name: String, algorithm: ChecksumAlgorithm, byteOrder: ByteOrder? = nil) {
    self.name = name
    self.algorithm = algorithm
    self.byteOrder = byteOrder ?? algorithm.customaryByteOrder
  }

  /// Its bytes in a frame.
  package var width: Int { algorithm.width }

  /// How many times longer than a sum the expression of a definition takes for a byte; 0: blemu has this checksum.
  package var weight: Int { if case .defined(let checksum) = algorithm { checksum.weight } else { 0 } }

  /// The expression of a definition; nil: blemu has this checksum.
  package var definition: DefinedChecksum? {
    if case .defined(let checksum) = algorithm { checksum } else { nil }
  }
}

extension Checksum {
  /// The check bytes in the order of sending.
  package func compute(_ bytes: [UInt8]) throws(ChecksumFailure) -> [UInt8] {
    self.bytes(of: try algorithm.value(of: bytes.span))
  }

  package func compute(_ bytes: ArraySlice<UInt8>) throws(ChecksumFailure) -> [UInt8] {
    self.bytes(of: try algorithm.value(of: bytes.span))
  }

  /// The check value as a number, as catalogues of checksums list it.
  package func value(of bytes: Span<UInt8>) throws(ChecksumFailure) -> UInt32 {
    try algorithm.value(of: bytes)
  }

  /// Whether these are the check bytes of others, in the order of sending.
  package func isValid(_ check: Span<UInt8>, over bytes: Span<UInt8>) -> Bool {
    guard let value = try? value(of: bytes) else { return false }
    return byteOrder.number(in: check) == value
  }

  /// The check value of bytes that follow others, whose check value is `earlier`. `fletcher32` counts in words: the
  /// number of earlier bytes must be even. That of a definition does not continue.
  package func value(of bytes: Span<UInt8>, after earlier: UInt32) -> UInt32 {
    algorithm.value(of: bytes, after: earlier)
  }

  /// The possible check values.
  package var range: ClosedRange<Int64> { 0...(1 << (8 * width)) - 1 }

  /// The bytes of a check value in the order of sending.
  package func bytes(of value: UInt32) -> [UInt8] {
    byteOrder.bytes(of: UInt64(value), width: width)
  }
}

extension Checksum: Hashable {
  package static func == (left: Checksum, right: Checksum) -> Bool {
    left === right
      || (left.name, left.algorithm, left.byteOrder) == (right.name, right.algorithm, right.byteOrder)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(byteOrder)
  }
}

extension Checksum: CustomStringConvertible {
  /// The name that `Checksum.named` accepts.
  package var description: String {
    byteOrder == algorithm.customaryByteOrder ? name : "\(name)-\(byteOrder.rawValue)"
  }
}
