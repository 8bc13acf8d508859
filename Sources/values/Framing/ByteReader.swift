/// Takes numbers and bytes from the front of others, one after the other; nil: there are not so many.
package struct ByteReader: Sendable {
  /// The bytes that are left.
  package private(set) var rest: ArraySlice<UInt8>
  private let order: ByteOrder

  package init(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder = .littleEndian) {
    (rest, self.order) = (bytes, order)
  }

  package init(_ bytes: some Sequence<UInt8>, _ order: ByteOrder = .littleEndian) {
    self.init(ArraySlice(bytes), order)
  }

  package mutating func byte() -> UInt8? { rest.popFirst() }

  /// A number of two bytes.
  package mutating func number() -> UInt16? {
    guard rest.count >= 2, let first = rest.popFirst(), let second = rest.popFirst() else { return nil }
    return order == .littleEndian
      ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second)
  }

  /// A number of any type.
  ///
  /// - Parameter size: in bytes, if it has fewer than its type.
  @inlinable
  package mutating func number<Number: FixedWidthInteger>(
    _: Number.Type = Number.self, size: Int = Number.bitWidth / 8
  ) -> Number? {
    number(of: size).map { Number(truncatingIfNeeded: $0) }
  }

  @usableFromInline
  package mutating func number(of size: Int) -> UInt64? {
    guard let bytes = take(size) else { return nil }
    return order == .littleEndian
      ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  package mutating func bytes(_ count: Int) -> [UInt8]? { take(count).map(Array.init) }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Drops so many bytes, or all. Returns whether there were so many.
  @discardableResult
  package mutating func skip(_ count: Int) -> Bool {
    defer { rest = rest.dropFirst(count) }
    return rest.count >= count
  }
}
