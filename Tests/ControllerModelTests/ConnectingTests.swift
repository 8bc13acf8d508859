import Testing

@testable import ControllerModel

@Suite struct ConnectingTests {
  @Test func `a host cancels`() {
    expect(
      """
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      a< 04 0F 04 00 01 0D 20
      1 s
      a> 01 0E 20 00
      a< 04 0E 04 01 0E 20 00
      a< 04 3E 1F  0A 02 00 00 00  00 00 00 00 00 00 00  00*12  00 00 00 00 00 00 00
      b> 01 0A 20 01  01
      b< 04 0E 04 01 0A 20 00
      2 s
      """)
  }

  @Test func `the initiator takes any device of its accept list`() {
    var conversation = AirConversation()
    conversation.prepare(
      """
      b> 01 0A 20 01  01
      a> 01 11 20 07  00 0C 00 00 00 00 00
      a> 01 0D 20 19  10 00 10 00  01 00 00 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      3 s
      """)
    expect(
      &conversation,
      """
      c> 01 0A 20 01  01
      c< 04 0E 04 01 0A 20 00
      20 ms
      a< 04 3E 1F  0A 00 40 00 00  00 0C 00 00 00 00 00  00*12  08 00 00 00 0A 00 00
      a< 04 3E 04  14 40 00 01
      c< 04 3E 1F  0A 00 40 00 01  00 0A 00 00 00 00 00  00*12  08 00 00 00 0A 00 01
      c< 04 3E 04  14 40 00 01
      """)
  }

  @Test func `an advertiser lets only its accept list connect`() {
    var conversation = AirConversation()
    conversation.prepare(
      """
      b> 01 11 20 07  00 0C 00 00 00 00 00
      b> 01 06 20 0F  20 00 20 00  00 00  00 00 00 00 00 00 00  07 02
      b> 01 0A 20 01  01
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      """)
    expect(&conversation, "1 s")
    conversation.prepare(
      "c> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00")
    #expect(conversation.play("1 s").contains("c< 04 3E 1F 0A 00 40 00 00"))
  }

  @Test func `a link may use the PHY of extended advertising`() {
    var conversation = AirConversation()
    conversation.prepare(
      """
      b> 01 36 20 19  00  01 00  20 00 00 20 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 02 00 00
      b> 01 39 20 06  01 01  00 00 00 00
      a> 01 43 20 1A  00 00  00 0B 00 00 00 00 00  01  10 00 10 00 08 00 08 00 00 00 64 00 00 00 00 00
      100 ms
      """)
    expect(
      &conversation,
      """
      b> 01 30 20 02  40 00
      b< 04 0E 08 01 30 20 00  40 00 02 02
      """)
  }

  @Test func `older hosts get LE Connection Complete`() {
    var conversation = AirConversation { if $0 == "b" { $1 = .version4($1.address) } }
    conversation.prepare("b> 01 0A 20 01  01")
    expect(
      &conversation,
      """
      a> 01 01 20 08  1F 00 00 00 00 00 00 00
      a< 04 0E 04 01 01 20 00
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      a< 04 0F 04 00 01 0D 20
      20 ms
      a< 04 3E 13  01 00 40 00 00  00 0B 00 00 00 00 00  08 00 00 00 0A 00 00
      b< 04 3E 13  01 00 40 00 01  00 0A 00 00 00 00 00  08 00 00 00 0A 00 01
      """)
  }

  @Test func `a link that nobody hears is not established`() {
    var conversation = AirConversation()
    conversation.prepare(
      """
      b> 01 0A 20 01  01
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      """)
    while let next = conversation.air.nextInstant, next.milliseconds < 100 {
      if conversation.play("1 ms").contains("a< ") { break }
    }
    // six intervals of 10 ms
    expect(
      &conversation,
      """
      b leaves
      59 ms
      1 ms
      a< 04 05 04  00 40 00 3E
      b< 04 05 04  00 40 00 3E
      """)
  }

  @Test func `a controller with all its links takes no other`() {
    var conversation = AirConversation { if $0 == "b" { $1.linkCount = 1 } }
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 0A 20 01  01
      b< 04 0E 04 01 0A 20 09
      b> 01 0D 20 19  10 00 10 00  00 00 0C 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      b< 04 0F 04 09 01 0D 20
      """)
  }
}
