import Bluetooth

/// Joins the data packets of one link and direction to frames of L2CAP (Core Specification, Vol 3 Part A 7.2.2): a controller
/// takes only so many bytes at once.
///
/// It drops what does not fit: a continuation without a beginning, a frame that another one interrupts, and one with more bytes
/// than its length says.
package struct FrameAssembler: Hashable, Sendable {
  /// The bytes of a frame whose end has not come, with its head.
  private var unfinished: [UInt8] = []
  /// Whether the rest of a frame is to come.
  package private(set) var isWaiting = false
  /// How many packets and unfinished frames did not fit.
  package private(set) var dropCount = 0

  package init() {}

  /// Takes the next packet. Returns the frame that it ends.
  package mutating func take(_ bytes: Span<UInt8>, isContinuation: Bool) -> L2CAPFrame? {
    if isContinuation != isWaiting {
      dropCount += 1
      if isContinuation { return nil }
      beginAnew()
    }
    // A frame that is whole, as most are, is copied once.
    if !isWaiting, Self.hasEnd(bytes) { return frame(bytes) }
    bytes.withUnsafeBufferPointer { unfinished.append(contentsOf: $0) }
    isWaiting = true
    guard Self.hasEnd(unfinished.span) else { return nil }
    let whole = unfinished
    beginAnew()
    return frame(whole.span)
  }

  package mutating func take(_ packet: ACLPacket) -> L2CAPFrame? {
    take(packet.bytes.span, isContinuation: packet.boundary == .continuation)
  }

  private mutating func beginAnew() { (unfinished, isWaiting) = ([], false) }

  private static func hasEnd(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 4 && bytes.count - 4 >= Int(UInt16(bytes[0], bytes[1]))
  }

  private mutating func frame(_ bytes: Span<UInt8>) -> L2CAPFrame? {
    guard bytes.count - 4 == Int(UInt16(bytes[0], bytes[1])) else {
      dropCount += 1
      return nil
    }
    return L2CAPFrame(
      channel: UInt16(bytes[2], bytes[3]),
      payload: bytes.extracting(droppingFirst: 4).withUnsafeBufferPointer { Array($0) })
  }
}
