/// Cuts what a controller sends over a stream, such as a UART or TCP, into packets (Core Specification, Vol 4 Part A 2).
///
/// Nothing in the stream marks where a packet begins. So after a byte that is no type, all others have no meaning, until the
/// controller answers a Reset (Vol 4 Part A 4).
package struct H4Stream: Sendable {
  /// Why bytes are not those of a controller.
  package enum Failure: Error, Hashable, Sendable {
    /// A packet begins with a byte that is no type, or that only a host sends.
    case unknownType(UInt8)
    /// A packet has more bytes than that of any controller.
    case tooLong(Int)
  }

  /// The most bytes in a packet of a controller. That is four times the most that Linux takes.
  package static let longestPacket = 4096

  private var buffer: [UInt8]
  /// The bytes in the buffer that are not in a packet yet.
  private var unread = 0..<0
  private var isLookingForReset: Bool

  /// The first byte of those that were skipped before the answer to Reset; nil: there were none.
  package private(set) var firstSkippedByte: UInt8?

  /// - Parameters:
  ///   - capacity: how many bytes ``fill(_:)`` takes at once; more than ``longestPacket``.
  ///   - beginsWithReset: whether the first packet is the answer to Reset, and everything before it is skipped. On a UART, the
  ///     first bytes may be the end of what the controller sent to an earlier program.
  package init(capacity: Int = 4 * longestPacket, beginsWithReset: Bool = false) {
    precondition(capacity > Self.longestPacket, "a packet fits into the buffer")
    buffer = [UInt8](repeating: 0, count: capacity)
    isLookingForReset = beginsWithReset
  }

  /// Adds bytes.
  ///
  /// - Precondition: ``next()`` has returned nil since the last call.
  /// - Parameter read: writes bytes into the memory, and returns how many.
  /// - Returns: what `read` has returned.
  package mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    moveUnreadToStart()
    let end = unread.upperBound
    let count = buffer.withUnsafeMutableBytes { read(UnsafeMutableRawBufferPointer(rebasing: $0[end...])) }
    unread = unread.lowerBound..<min(buffer.count, end + max(0, count))
    return count
  }

  /// Removes the next whole packet, with its type; nil: the rest of it has not come.
  ///
  /// The slice shares the buffer: a caller that keeps it makes the next ``fill(_:)`` copy the buffer.
  package mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
    if isLookingForReset { skipToReset() }
    guard let first = unread.first.map({ buffer[$0] }) else { return nil }
    guard let type = H4PacketType(rawValue: first), type != .command else { throw .unknownType(first) }
    guard unread.count >= type.headerLength else { return nil }
    let start = unread.lowerBound
    let length = type.packetLength(
      buffer[start + type.headerLength - 2], buffer[start + type.headerLength - 1])
    guard length <= Self.longestPacket else { throw .tooLong(length) }
    guard length <= unread.count else { return nil }
    unread = start + length..<unread.upperBound
    return buffer[start..<start + length]
  }

  /// Removes all bytes: of a descriptor that keeps the borders of packets, they are one.
  package mutating func takeAll() -> ArraySlice<UInt8> {
    defer { unread = 0..<0 }
    return buffer[unread]
  }

  private mutating func moveUnreadToStart() {
    guard unread.lowerBound > 0 else { return }
    buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      start.copyMemory(from: start + unread.lowerBound, byteCount: unread.count)
    }
    unread = 0..<unread.count
  }
}

// MARK: The beginning

extension H4Stream {
  /// Command Complete for Reset (Vol 4 Part E 7.7.14, 7.3.2). nil: any byte.
  ///
  ///     04 0E  04 01  03 0C  00    event, Command Complete; 4 bytes, room for 1 command; opcode 0x0C03; success
  private static let answerToReset: [UInt8?] = [0x04, 0x0E, 0x04, nil, 0x03, 0x0C]

  /// Skips everything that comes before the answer to the next Reset, which only a host sends that waits for nothing else.
  package mutating func beginAnew() { (isLookingForReset, firstSkippedByte) = (true, nil) }

  private mutating func skipToReset() {
    while !unread.isEmpty, !mayAnswerReset() {
      if firstSkippedByte == nil { firstSkippedByte = buffer[unread.lowerBound] }
      unread.removeFirst()
    }
    if unread.count >= Self.answerToReset.count { isLookingForReset = false }
  }

  /// Whether the unread bytes are the beginning of the answer, as far as they have come.
  private func mayAnswerReset() -> Bool {
    zip(buffer[unread], Self.answerToReset).allSatisfy { $1 == nil || $0 == $1 }
  }
}
