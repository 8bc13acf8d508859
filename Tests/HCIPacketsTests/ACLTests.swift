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

  /// Each packet: the handle, `>` for the first of a frame or `+` for a continuation, and bytes. The frames: handle, channel, bytes.
  @Test(
    arguments: [
      (["1> 03 00 04 00 0A 03 00"], ["1 4: 0A 03 00"]),
      (["1> 00 00 05 00"], ["1 5: "]),
      (["1> 03 00 04 00 0A", "1+ 03", "1+ 00"], ["1 4: 0A 03 00"]),
      // even the head may come in pieces
      (["1> 03", "1+ 00 04", "1+ 00 0A 03 00"], ["1 4: 0A 03 00"]),
      (["1> 02 00 04 00 AA", "2> 01 00 06 00 CC", "1+ BB"], ["2 6: CC", "1 4: AA BB"]),
      // dropped
      (["1+ AA BB"], ["dropped"]),
      (["1> 02 00 04 00 AA", "1> 01 00 04 00 CC", "1+ BB"], ["1 4: CC", "dropped", "dropped"]),
      (["1> 01 00 04 00 AA BB", "1+ CC"], ["dropped", "dropped"]),
    ])
  func `packets become frames`(packets: [String], frames: [String]) {
    var recombiner = ACLRecombiner()
    let found = packets.compactMap { text -> String? in
      let handle = LinkHandle(text.prefix(1))!
      let boundary: ACLPacket.Boundary = text.dropFirst().first == "+" ? .continuation : .first
      return recombiner.take(ACLPacket(handle, boundary, hex(String(text.dropFirst(3))))).map {
        "\(handle) \($0.channel): \(hexadecimal($0.payload))"
      }
    }
    #expect(found + [String](repeating: "dropped", count: recombiner.dropCount) == frames)
  }

  @Test func `a link that has ended leaves nothing to another with its handle`() {
    var recombiner = ACLRecombiner()
    #expect(recombiner.take(ACLPacket(1, .first, [2, 0, 4, 0, 0xAA])) == nil)
    recombiner.forget(1)
    #expect(recombiner.take(ACLPacket(1, .continuation, [0xBB])) == nil)
  }
}
