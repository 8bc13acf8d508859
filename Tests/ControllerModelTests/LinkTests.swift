import Testing

@testable import ControllerModel

@Suite struct LinkTests {
  @Test func `the central changes the parameters six events later`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      a> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00     # 20 to 30 ms, timeout 2 s
      a< 04 0F 04 00 01 13 20
      59 ms
      20 ms
      a< 04 3E 0A  03 00 40 00  18 00 00 00 C8 00
      b< 04 3E 0A  03 00 40 00  18 00 00 00 C8 00
      """)
    conversation.prepare("a> 02  40 00  05 00  01 00 04 00  0A")
    let wait = conversation.air.nextInstant.map { conversation.air.now.duration(to: $0) }
    #expect(wait.map { $0 <= .milliseconds(30) && $0 > .milliseconds(10) } == true)
  }

  @Test func `the peripheral asks, and the central's host accepts`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00
      b< 04 0F 04 00 01 13 20
      20 ms
      a< 04 3E 0B  06 40 00  10 00 18 00 00 00 C8 00
      a> 01 20 20 0E  40 00  10 00 14 00 00 00 C8 00  00 00 00 00
      a< 04 0E 06 01 20 20 00  40 00
      100 ms
      a< 04 3E 0A  03 00 40 00  14 00 00 00 C8 00
      b< 04 3E 0A  03 00 40 00  14 00 00 00 C8 00
      """)
  }

  @Test func `the central's host refuses`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00
      b< 04 0F 04 00 01 13 20
      20 ms
      a< 04 3E 0B  06 40 00  10 00 18 00 00 00 C8 00
      a> 01 21 20 03  40 00 3B
      a< 04 0E 06 01 21 20 00  40 00
      100 ms
      b< 04 3E 0A  03 3B 40 00  08 00 00 00 0A 00
      """)
  }

  @Test func `a central that does not know the procedure refuses as well`() {
    var conversation = AirConversation { if $0 == "a" { $1 = .version4($1.address) } }
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00
      b< 04 0F 04 00 01 13 20
      30 ms
      b< 04 3E 0A  03 1A 40 00  08 00 00 00 0A 00
      """)
  }

  @Test func `a peripheral without the procedure cannot ask`() {
    var conversation = AirConversation { if $0 == "b" { $1 = .version4($1.address) } }
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00
      b< 04 0F 04 11 01 13 20
      """)
  }

  @Test func `a central whose host does not answer in 40 s ends the link`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00
      b< 04 0F 04 00 01 13 20
      39 s
      a< 04 3E 0B  06 40 00  10 00 18 00 00 00 C8 00
      1 s
      b< 04 05 04  00 40 00 22
      1 s
      a< 04 05 04  00 40 00 08
      """)
  }

  @Test func `both sides may send longer packets`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      a> 01 22 20 06  40 00  FB 00 48 08
      a< 04 0E 06 01 22 20 00  40 00
      20 ms
      a< 04 3E 0B  07 40 00  FB 00 48 08 1B 00 48 01
      b< 04 3E 0B  07 40 00  1B 00 48 01 FB 00 48 08
      a> 02  40 00  68 00  64 00 04 00  11*100
      20 ms
      a< 04 13 05  01 40 00 01 00
      b< 02  40 20  68 00  64 00 04 00  11*100
      """)
  }

  @Test func `a suggested length holds from the beginning of a link`() {
    var conversation = AirConversation()
    conversation.prepare("b> 01 24 20 04  FB 00 48 08")
    conversation.connect()
    expect(
      &conversation,
      """
      b> 02  40 00  68 00  64 00 04 00  11*100
      20 ms
      a< 02  40 20  68 00  64 00 04 00  11*100
      b< 04 13 05  01 40 00 01 00
      """)
  }

  @Test func `the PHY changes on both sides`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      a> 01 32 20 07  40 00  00 02 01 00 00      # send on LE 2M, receive on LE 1M
      a< 04 0F 04 00 01 32 20
      100 ms
      a< 04 3E 06  0C 00 40 00 02 01
      b< 04 3E 06  0C 00 40 00 01 02
      b> 01 32 20 07  40 00  00 02 02 00 00      # the peripheral asks
      b< 04 0F 04 00 01 32 20
      100 ms
      a< 04 3E 06  0C 00 40 00 02 02
      b< 04 3E 06  0C 00 40 00 02 02
      b> 01 30 20 02  40 00
      b< 04 0E 08 01 30 20 00  40 00 02 02
      """)
  }

  @Test func `a peer has features, a version and a signal`() {
    var conversation = AirConversation { if $0 == "b" { $1 = .version4($1.address) } }
    conversation.connect()
    expect(
      &conversation,
      """
      a> 01 16 20 02  40 00
      a< 04 0F 04 00 01 16 20
      a> 01 1D 04 02  40 00
      a< 04 0F 04 00 01 1D 04
      30 ms
      a< 04 3E 0C  04 00 40 00  01 00 00 00 00 00 00 00
      a< 04 0C 08  00 40 00  06 FF FF 00 00
      a> 01 1D 04 02  40 00                      # known now
      a< 04 0F 04 00 01 1D 04
      a< 04 0C 08  00 40 00  06 FF FF 00 00
      a> 01 05 14 02  40 00                      # Read RSSI
      a< 04 0E 07 01 05 14 00  40 00 C4
      a> 01 32 20 07  40 00  00 02 02 00 00      # LE Set PHY, which the peer does not know
      a< 04 0F 04 00 01 32 20
      30 ms
      a< 04 3E 06  0C 1A 40 00 01 01
      """)
  }

  @Test func `the central's change comes before that of the peripheral`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      a> 01 32 20 07  40 00  00 02 02 00 00
      a< 04 0F 04 00 01 32 20
      b> 01 32 20 07  40 00  00 04 04 00 00
      b< 04 0F 04 00 01 32 20
      100 ms
      b< 04 3E 06  0C 23 40 00 01 01          # LL Procedure Collision
      a< 04 3E 06  0C 00 40 00 02 02
      b< 04 3E 06  0C 00 40 00 02 02
      a> 01 13 20 0E  40 00  10 00 18 00 00 00 C8 00  00 00 00 00
      a< 04 0F 04 00 01 13 20
      b> 01 32 20 07  40 00  00 04 04 00 00
      b< 04 0F 04 00 01 32 20
      100 ms
      b< 04 3E 06  0C 2A 40 00 02 02          # Different Transaction Collision
      a< 04 3E 0A  03 00 40 00  18 00 00 00 C8 00
      b< 04 3E 0A  03 00 40 00  18 00 00 00 C8 00
      """)
  }
}
