import HCIPackets

/// Joins the data packets of one link to frames of L2CAP (Core Specification, Vol 3 Part A 7.2.2).
///
/// It drops what does not fit: a continuation without a beginning, a frame that another one interrupts, and one with more bytes
/// than its length says.
struct FrameAssembler: Hashable {
  /// The bytes of a frame whose end has not come, with its head.
  private var unfinished: [UInt8] = []
  /// How many packets and unfinished frames did not fit.
  private(set) var dropCount = 0

  /// Takes the next packet. Returns the frame that it ends.
  mutating func take(_ bytes: ArraySlice<UInt8>, isContinuation: Bool) -> L2CAPFrame? {
    if isContinuation {
      guard !unfinished.isEmpty else {
        dropCount += 1
        return nil
      }
      unfinished += bytes
      return finish(unfinished[...])
    }
    if !unfinished.isEmpty { dropCount += 1 }
    unfinished.removeAll(keepingCapacity: true)
    return finish(bytes)
  }

  private mutating func finish(_ bytes: ArraySlice<UInt8>) -> L2CAPFrame? {
    let start = bytes.startIndex
    guard bytes.count >= 4, bytes.count - 4 >= Int(UInt16(bytes[start], bytes[start + 1])) else {
      if unfinished.isEmpty { unfinished += bytes }
      return nil
    }
    let isWhole = bytes.count - 4 == Int(UInt16(bytes[start], bytes[start + 1]))
    let frame = L2CAPFrame(
      channel: UInt16(bytes[start + 2], bytes[start + 3]), payload: Array(bytes.dropFirst(4)))
    unfinished.removeAll(keepingCapacity: true)
    if !isWhole { dropCount += 1 }
    return isWhole ? frame : nil
  }
}
