import Bluetooth
import Testing

@testable import AttributeServer

@Suite struct MTUTests {
  /// The client's MTU, the server's, and that of the link.
  @Test(
    arguments: [
      (23, 517, 23), (24, 517, 24), (247, 517, 247), (517, 517, 517), (518, 517, 517), (0xFFFF, 517, 517),
      (10, 517, 23), (0, 517, 23), (247, 23, 23), (23, 23, 23), (10, 23, 23), (517, 100, 100),
    ])
  func `the smaller MTU counts, and never less than 23`(client: UInt16, server: UInt16, link: Int) throws {
    let definition = SpecificationCase.large
    var conversation = try ServerConversation(definition, mtu: Int(server))
    let value = PacketText.bytes("66 69 72 73 74 2E*249 73 65 63 6F 6E 64 2D*250 0D 0A")
    expect(
      &conversation,
      """
      > 02 \(PacketText.text(client.littleEndianBytes))
      < 03 \(PacketText.text(server.littleEndianBytes))
      > 0A 0C 00
      < 0B \(PacketText.text(Array(value.prefix(link - 1))))
      """)
    #expect(conversation.servers[0].server.mtu == link)
    #expect(conversation.servers[1].server.mtu == 23)
  }

  @Test func `the response to an earlier request has the earlier MTU`() throws {
    try expect(
      SpecificationCase.large,
      """
      device waits
      > 0A 0C 00
      > 02 F7 00
      > 0A 0D 00
      device answers
      < 0B 66 69 72 73 74 2E*17
      < 03 05 02
      device answers
      < 0B 64 65 73 63 72 69 70 74 69 6F 6E 2E*29
      """)
  }

  @Test func `an indication that waits is cut to the MTU with which it is sent`() throws {
    try expect(
      SpecificationCase.large,
      """
      > 12 18 00 02 00
      < 13
      ] 4E 41*30
      < 1D 17 00 41*20
      ] 4E 42*30
      > 02 F7 00
      < 03 05 02
      > 1E
      < 1D 17 00 42*30
      > 1E
      """)
  }
}
