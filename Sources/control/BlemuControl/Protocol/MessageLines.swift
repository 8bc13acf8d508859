import Glibc

/// Splits what a device sends into lines, however the bytes come.
package struct MessageLines: Sendable {
  private var received: [UInt8] = []
  /// Where the next line begins, and up to where no line feed is.
  private var (start, searched) = (0, 0)

  package init() {}

  /// How many bytes have come of the line that is not complete, once ``next()`` has returned nil.
  package var incompleteCount: Int { received.count - start }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    received.removeFirst(start)
    searched -= start
    start = 0
    received += bytes
  }

  /// The next line that is complete, without its line feed.
  package mutating func next() -> [UInt8]? {
    guard let end = lineFeed else {
      searched = received.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(received[start..<end])
  }

  private var lineFeed: Int? {
    received.withUnsafeBytes { bytes in
      guard let rest = bytes.baseAddress?.advanced(by: searched) else { return nil }
      return memchr(rest, Int32(UInt8(ascii: "\n")), bytes.count - searched).map {
        bytes.baseAddress!.distance(to: $0)
      }
    }
  }
}
