/// What a host has done that the specification forbids, and that no error code answers.
package enum HostMistake: Hashable, Sendable {
  /// A packet with a type that a controller does not take, or whose length is wrong.
  case malformedPacket([UInt8])
  /// A command that the controller had no credit for (Vol 4 Part E 4.4).
  case commandWithoutCredit(opcode: UInt16)
  /// More ACL data packets than the controller holds (4.1.1). It drops the packet.
  case dataWithoutCredit(handle: UInt16)
  /// An ACL data packet that is empty or too long. The controller drops it.
  case dataSize(handle: UInt16, Int)
  /// A boundary or broadcast flag that a host may not use on LE, or a continuation of nothing (5.4.2).
  case dataFlags(handle: UInt16, UInt8)
  /// Data for a link that does not exist, and of whose end the host knows.
  case dataForUnknownLink(handle: UInt16)
}
