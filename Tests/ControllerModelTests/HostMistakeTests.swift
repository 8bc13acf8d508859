import Framing
import TestSupport
import Testing

@testable import ControllerModel

@Suite struct HostMistakeTests {
  @Test(
    arguments: [
      ("a> 01 03 0C", .malformedPacket([0x01, 0x03, 0x0C])),
      ("a> 01 03 0C 01", .malformedPacket([0x01, 0x03, 0x0C, 0x01])),
      ("a> 04 0E 00", .malformedPacket([0x04, 0x0E, 0x00])),
      ("a> 02 40 00 02 00 11", .malformedPacket([0x02, 0x40, 0x00, 0x02, 0x00, 0x11])),
    ] as [(String, HostMistake)])
  func `a packet that is none makes the controller lose its synchronization`(
    packet: String, mistake: HostMistake
  ) {
    var conversation = AirConversation()
    expect(&conversation, packet + "\na< 04 10 01 FE")
    #expect(conversation.mistakes(by: "a") == [mistake])
  }

  @Test(
    arguments: [
      ("a> 02  41 00  01 00  11", .dataForUnknownLink(handle: 0x41)),
      ("a> 02  40 00  00 00", .dataSize(handle: 0x40, 0)),
      ("a> 02  40 00  FC 00  11*252", .dataSize(handle: 0x40, 252)),
      ("a> 02  40 20  01 00  11", .dataFlags(handle: 0x40, 2)),
      ("a> 02  40 10  01 00  11", .dataFlags(handle: 0x40, 1)),
      ("a> 02  40 40  01 00  11", .dataFlags(handle: 0x40, 4)),
    ] as [(String, HostMistake)])
  func `data that a host may not send is dropped`(packet: String, mistake: HostMistake) {
    var conversation = AirConversation()
    conversation.connect()
    expect(&conversation, packet + "\n100 ms")
    #expect(conversation.mistakes(by: "a") == [mistake])
  }

  @Test func `more packets than the controller holds are too many`() {
    var conversation = AirConversation { $1.dataPacketCount = 1 }
    conversation.connect()
    expect(
      &conversation,
      """
      a> 02  40 00  05 00  01 00 04 00  01
      a> 02  40 00  05 00  01 00 04 00  02
      a< 04 1A 01 01
      20 ms
      a< 04 13 05  01 40 00 01 00
      b< 02  40 20  05 00  01 00 04 00  01
      """)
    #expect(conversation.mistakes(by: "a") == [.dataWithoutCredit(handle: 0x40)])
  }

  @Test func `a host waits for the answer to a command`() {
    var air = Air()
    let controller = air.add(ControllerTraits(AirConversation.addresses[0]))
    air.send(hex("01 03 0C 00"), to: controller)
    #expect(air.mistakes(by: controller).isEmpty)
    air.send(hex("01 01 10 00"), to: controller)
    #expect(air.mistakes(by: controller) == [.commandWithoutCredit(opcode: 0x1001)])
  }

  @Test func `data for a link whose end the host does not know is no mistake`() {
    var air = Air()
    let ids = AirConversation.addresses.prefix(2).map { air.add(ControllerTraits($0)) }
    air.send(hex("01 0A 20 01 01"), to: ids[1])
    air.send(
      hex("01 0D 20 19 10 00 10 00 00 00 0B 00 00 00 00 00 00 08 00 08 00 00 00 0A 00 00 00 00 00"),
      to: ids[0])
    air.advance(to: .milliseconds(100))
    _ = air.take(from: ids[1])
    air.send(hex("01 06 04 03 40 00 13"), to: ids[1])
    air.advance(to: .milliseconds(200))
    air.send(hex("02 40 00 01 00 11"), to: ids[0])
    #expect(air.mistakes(by: ids[0]).isEmpty)
    _ = air.take(from: ids[0])
    air.send(hex("02 40 00 01 00 11"), to: ids[0])
    #expect(air.mistakes(by: ids[0]) == [.dataForUnknownLink(handle: 0x40)])
  }
}
