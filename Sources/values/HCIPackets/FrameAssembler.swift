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
  package mutating func take(_ bytes: ArraySlice<UInt8>, isContinuation: Bool) -> L2CAPFrame? {
    guard isContinuation else {
      if isWaiting { dropCount += 1 }
      isWaiting = false
      unfinished.removeAll(keepingCapacity: true)
      return finish(bytes)
    }
    guard isWaiting else {
      dropCount += 1
      return nil
    }
    unfinished += bytes
    return finish(unfinished[...])
  }

  package mutating func take(_ packet: ACLPacket) -> L2CAPFrame? {
    take(packet.bytes[...], isContinuation: packet.boundary == .continuation)
  }

  private mutating func finish(_ bytes: ArraySlice<UInt8>) -> L2CAPFrame? {
    let start = bytes.startIndex
    guard bytes.count >= 4, bytes.count - 4 >= Int(UInt16(bytes[start], bytes[start + 1])) else {
      if !isWaiting { unfinished += bytes }
      isWaiting = true
      return nil
    }
    let isWhole = bytes.count - 4 == Int(UInt16(bytes[start], bytes[start + 1]))
    let frame = L2CAPFrame(
      channel: UInt16(bytes[start + 2], bytes[start + 3]), payload: Array(bytes.dropFirst(4)))
    unfinished.removeAll(keepingCapacity: true)
    isWaiting = false
    if !isWhole { dropCount += 1 }
    return isWhole ? frame : nil
  }
}
