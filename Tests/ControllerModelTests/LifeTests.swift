import Testing

@testable import ControllerModel

extension AirConversation {
  /// b advertises as a peripheral, and a connects to it: interval 10 ms, timeout 100 ms. Both handles are 0x0040.
  mutating func connect() {
    prepare(
      """
      b> 01 0A 20 01  01
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      2 s
      """)
  }
}

@Suite struct LifeTests {
  @Test func `a link begins, carries data both ways and ends`() {
    expect(
      """
      # LE Set Advertising Parameters: 100 ms, ADV_IND; data; scan response; enabled
      b> 01 06 20 0F  A0 00 A0 00  00 00  00 00 00 00 00 00 00  07 00
      b< 04 0E 04 01 06 20 00
      b> 01 08 20 20  03 02 01 06 00*28
      b< 04 0E 04 01 08 20 00
      b> 01 09 20 20  03 02 09 42 00*28
      b< 04 0E 04 01 09 20 00
      b> 01 0A 20 01  01
      b< 04 0E 04 01 0A 20 00
      # LE Create Connection: interval 10 ms, timeout 1 s; with LE Enhanced Connection Complete, and channel selection #2
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 64 00  00 00 00 00
      a< 04 0F 04 00 01 0D 20
      200 ms
      a< 04 3E 1F  0A 00 40 00 00  00 0B 00 00 00 00 00  00*12  08 00 00 00 64 00 00
      a< 04 3E 04  14 40 00 01
      b< 04 3E 1F  0A 00 40 00 01  00 0A 00 00 00 00 00  00*12  08 00 00 00 64 00 01
      b< 04 3E 04  14 40 00 01
      # a: Exchange MTU Request; its completion
      a> 02  40 00  07 00  03 00 04 00  02 17 00
      20 ms
      a< 04 13 05  01 40 00 01 00
      b< 02  40 20  07 00  03 00 04 00  02 17 00
      b> 02  40 00  07 00  03 00 04 00  03 17 00
      20 ms
      a< 02  40 20  07 00  03 00 04 00  03 17 00
      b< 04 13 05  01 40 00 01 00
      # b: Disconnect
      b> 01 06 04 03  40 00 13
      b< 04 0F 04 00 01 06 04
      20 ms
      a< 04 05 04  00 40 00 13
      b< 04 05 04  00 40 00 16
      5 s
      """)
  }

  @Test func `data arrives in packets of the air, and in order`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      a> 02  40 00  1E 00  2C 00 04 00  11*26
      a> 02  40 10  12 00  22*18
      20 ms
      a< 04 13 05  01 40 00 02 00
      b< 02  40 20  1B 00  2C 00 04 00  11*23
      b< 02  40 10  03 00  11*3
      b< 02  40 10  12 00  22*18
      """)
    #expect(conversation.mistakes(by: "a").isEmpty)
  }

  @Test func `a peer with small buffers gets small packets`() {
    var conversation = AirConversation {
      $1.packetOctets = 251
      if $0 == "b" { $1.dataPacketSize = 20 }
    }
    conversation.connect()
    expect(
      &conversation,
      """
      a> 02  40 00  1B 00  17 00 04 00  11*23
      20 ms
      a< 04 13 05  01 40 00 01 00
      b< 02  40 20  14 00  17 00 04 00  11*16
      b< 02  40 10  07 00  11*7
      """)
  }

  @Test func `data waits for the next connection event`() {
    var conversation = AirConversation()
    conversation.connect()
    let next = conversation.air.now
    conversation.prepare("a> 02  40 00  05 00  01 00 04 00  0A")
    let due = conversation.air.nextInstant
    #expect(due.map { next.duration(to: $0) < .milliseconds(10) && $0 > next } == true)
    conversation.prepare("10 ms")
    #expect(conversation.air.nextInstant == nil, "an idle link wakes nobody")
  }

  @Test func `the peripheral sleeps through as many events as its latency says`() {
    var conversation = AirConversation()
    conversation.prepare(
      """
      b> 01 0A 20 01  01
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 63 00 F4 01  00 00 00 00
      2100 ms
      a> 02  40 00  05 00  01 00 04 00  0A
      """)
    let start = conversation.air.now
    while let next = conversation.air.nextInstant, start.duration(to: next) <= .seconds(2) {
      if conversation.play("1 ms").contains("b< 02") { break }
    }
    // interval 10 ms, latency 99: every second
    #expect(start.duration(to: conversation.air.now) > .milliseconds(100))
    #expect(start.duration(to: conversation.air.now) <= .seconds(1))
  }
}
