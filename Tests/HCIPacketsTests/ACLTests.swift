import TestSupport
import Testing

@testable import HCIPackets

@Suite struct ACLTests {
  @Test(
    arguments: [
      ("02  40 20  02 00  AA BB", ACLPacket(0x0040, .first, [0xAA, 0xBB])),
      ("02  40 10  01 00  AA BB", ACLPacket(0x0040, .continuation, [0xAA])),
      ("02  FF 0E  00 00", ACLPacket(0x0EFF, .firstToController, [])),
      ("02  40 20  03 00  AA BB", nil), ("02  40 20  03", nil), ("02", nil), ("", nil),
      ("04  40 20  02 00  AA BB", nil),
    ] as [(String, ACLPacket?)])
  func `a packet has a handle, a boundary and a length`(packet: String, expected: ACLPacket?) {
    #expect(ACLPacket(hex(packet)) == expected)
  }
}
