/// Joins the packets of one direction to frames of L2CAP (Core Specification, Vol 3 Part A 7.2.2): a controller takes only so
/// many bytes at once.
///
/// It drops packets that do not fit, as a host does: a continuation without a beginning, a frame that another one interrupts,
/// and one with more bytes than its length says.
package struct ACLRecombiner: Sendable {
  /// The frames whose end has not come, with their heads.
  private var unfinished: [LinkHandle: [UInt8]] = [:]
  /// How many packets and unfinished frames did not fit.
  package private(set) var dropCount = 0

  package init() {}

  /// Takes the next packet of a link. Returns the frame that it ends.
  package mutating func take(_ packet: ACLPacket) -> L2CAPFrame? {
    let earlier = unfinished.removeValue(forKey: packet.handle)
    var bytes: [UInt8]
    switch (packet.boundary, earlier) {
    case (.continuation, let earlier?):
      bytes = earlier
      bytes += packet.bytes
    case (.continuation, nil):
      dropCount += 1
      return nil
    case (_, let interrupted):
      if interrupted != nil { dropCount += 1 }
      bytes = packet.bytes
    }
    guard bytes.count >= 4, bytes.count - 4 >= Int(UInt16(bytes[0], bytes[1])) else {
      unfinished[packet.handle] = bytes
      return nil
    }
    guard bytes.count - 4 == Int(UInt16(bytes[0], bytes[1])) else {
      dropCount += 1
      return nil
    }
    return L2CAPFrame(channel: UInt16(bytes[2], bytes[3]), payload: Array(bytes[4...]))
  }

  /// Whether the rest of a frame of this link is to come.
  package func isWaiting(for handle: LinkHandle) -> Bool { unfinished[handle] != nil }

  /// Discards the fragments of a link that has ended, because another may get its handle.
  package mutating func forget(_ handle: LinkHandle) { unfinished[handle] = nil }
}
