/// Joins the packets of one direction to frames of L2CAP (Core Specification, Vol 3 Part A 7.2.2): a controller takes only so
/// many bytes at once.
///
/// It drops packets that do not fit, as a host does: a continuation without a beginning, a frame that another one interrupts,
/// and one with more bytes than its length says.
package struct ACLRecombiner: Sendable {
  /// The frames whose end has not come, with their heads.
  private var unfinished: [LinkHandle: [UInt8]] = [:]

  package init() {}

  /// Takes the next packet of a link. Returns the frame that it ends.
  package mutating func take(_ packet: ACLPacket) -> L2CAPFrame? {
    let earlier = unfinished.removeValue(forKey: packet.handle)
    let bytes: [UInt8]
    switch packet.boundary {
    case .first, .firstToController, .whole: bytes = packet.bytes
    case .continuation:
      guard let earlier else { return nil }
      bytes = earlier + packet.bytes
    }
    var fields = EventFields(bytes)
    guard let length = fields.number(), let channel = fields.number(), fields.rest.count >= Int(length) else {
      unfinished[packet.handle] = bytes
      return nil
    }
    return fields.rest.count == Int(length) ? L2CAPFrame(channel: channel, payload: Array(fields.rest)) : nil
  }

  /// Discards the fragments of a link that has ended, because another may get its handle.
  package mutating func forget(_ handle: LinkHandle) { unfinished[handle] = nil }
}
