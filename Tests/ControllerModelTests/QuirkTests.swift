import Framing
import TestSupport
import Testing

@testable import ControllerModel

@Suite struct QuirkTests {
  @Test(
    arguments: [
      (.lost, []),
      (.twice, ["a< 04 13 05 01 40 00 01 00", "a< 04 13 05 01 40 00 01 00"]),
      (.truncated(4), ["a< 04 13 05 01"]),
      (.replaced([0x04, 0xFF, 0x00]), ["a< 04 FF 00"]),
    ] as [(EventFault.Effect, [String])])
  func `an event goes wrong once`(effect: EventFault.Effect, expected: [String]) {
    var conversation = AirConversation {
      if $0 == "a" { $1.quirks.eventFaults = [EventFault(0x13, 0, effect)] }
    }
    conversation.connect()
    let packet = "a> 02 40 00 05 00 01 00 04 00 0A"
    let lines = (expected + ["b< 02 40 20 05 00 01 00 04 00 0A"]).joined(separator: "\n")
    expect(&conversation, "\(packet)\n20 ms\n\(lines)")
    expect(
      &conversation,
      "\(packet)\n20 ms\na< 04 13 05 01 40 00 01 00\nb< 02 40 20 05 00 01 00 04 00 0A")
  }

  @Test func `faults tell LE Meta events apart`() {
    var conversation = AirConversation {
      if $0 == "a" { $1.quirks.eventFaults = [EventFault(0x0A3E, 0, .lost)] }
    }
    conversation.prepare(
      """
      b> 01 0A 20 01  01
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      """)
    let lines = conversation.play("100 ms").split(separator: "\n").filter { $0.hasPrefix("a<") }
    #expect(lines == ["a< 04 3E 04 14 40 00 01"])
  }

  @Test func `unknown commands may be answered with Command Complete`() {
    var conversation = AirConversation { $1.quirks.completesUnknownCommands = true }
    expect(
      &conversation,
      """
      a> 01 02 FC 00
      a< 04 0E 04 01 02 FC 01
      """)
  }

  @Test func `the next command may have to wait for a credit`() {
    var conversation = AirConversation { $1.quirks.grantsCreditsLater = true }
    expect(
      &conversation,
      """
      a> 01 0F 20 00
      a< 04 0E 05 00 0F 20 00 08
      a< 04 0E 03 01 00 00
      a> 01 06 04 03  40 00 13
      a< 04 0F 04 02 00 06 04
      a< 04 0E 03 01 00 00
      """)
  }

  @Test func `commands may be missing`() {
    var conversation = AirConversation { $1.missingCommands = [0x2002] }
    expect(
      &conversation,
      """
      a> 01 02 20 00
      a< 04 0F 04 01 01 02 20
      """)
    #expect(!conversation.play("a> 01 02 10 00").contains(" F7 FF FF 0F "), "nor are they supported")
  }

  /// Advertising at random instants, random numbers and a connection.
  private static func story(seed: UInt64) -> String {
    var conversation = AirConversation(seed: seed)
    return conversation.play(
      """
      a> 01 18 20 00
      a> 01 0C 20 02  01 00
      b> 01 06 20 0F  20 00 20 00  00 00  00 00 00 00 00 00 00  07 00
      b> 01 0A 20 01  01
      c> 01 18 20 00
      1 s
      """)
  }

  @Test func `the same seed makes the same air`() {
    #expect(Self.story(seed: 7) == Self.story(seed: 7))
    #expect(Self.story(seed: 7) != Self.story(seed: 8))
  }

  @Test func `bytes of all kinds do no harm`() {
    var random = SplitMix64(seed: 1)
    var conversation = AirConversation()
    conversation.connect()
    let opcodes = Command.all.keys.sorted() + [0xFC01]
    for _ in 0..<5000 {
      let opcode = opcodes[Int(random.next() % UInt64(opcodes.count))]
      var parameters = random.bytes(Command.all[opcode]?.length ?? Int(random.next() % 40))
      if parameters.count >= 2, random.next() & 1 == 0 { parameters.replaceSubrange(0..<2, with: [0x40, 0]) }
      let packet = [0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
      conversation.prepare("\(random.next() & 1 == 0 ? "a" : "b")> \(hexadecimal(packet))")
    }
    conversation.prepare("100 ms")
    #expect(conversation.play("a> 01 03 0C 00").hasSuffix("a< 04 0E 04 01 03 0C 00"))
  }
}
