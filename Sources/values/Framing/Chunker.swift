/// Cuts bytes into pieces that fit into one notification each.
///
/// The pieces are slices of the bytes, created one at a time. Empty bytes have no piece.
package struct Chunker: Sequence, Sendable {
  package let bytes: [UInt8]
  package let size: Int

  /// `size` is the longest piece: the MTU minus the three bytes of a notification's header.
  package init(_ bytes: [UInt8], size: Int) {
    precondition(size > 0, "a chunk holds at least one byte")
    self.bytes = bytes
    self.size = size
  }

  package func makeIterator() -> Iterator {
    Iterator(rest: bytes[...], size: size)
  }

  package struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>
    fileprivate let size: Int

    package mutating func next() -> ArraySlice<UInt8>? {
      guard !rest.isEmpty else { return nil }
      let chunk = rest.prefix(size)
      rest = rest.dropFirst(size)
      return chunk
    }
  }
}
