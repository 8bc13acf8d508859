import Testing

@testable import ControllerModel

@Suite struct RangeTests {
  @Test func `out of range, both ends notice after the supervision timeout`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      b leaves
      99 ms
      1 ms
      a< 04 05 04  00 40 00 08
      b< 04 05 04  00 40 00 08
      """)
  }

  @Test func `back in time, nothing is lost`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      b leaves
      a> 02  40 00  05 00  01 00 04 00  0A
      90 ms
      b returns
      10 ms
      a< 04 13 05  01 40 00 01 00
      b< 02  40 20  05 00  01 00 04 00  0A
      1 s
      """)
  }

  @Test func `a controller that was reset is silent, and its peer notices`() {
    var conversation = AirConversation()
    conversation.connect()
    expect(
      &conversation,
      """
      b> 01 03 0C 00
      b< 04 0E 04 01 03 0C 00
      100 ms
      a< 04 05 04  00 40 00 08
      """)
  }

  @Test func `a wall separates two controllers and no others`() {
    var air = Air()
    let ids = AirConversation.addresses.map { air.add(ControllerTraits($0)) }
    #expect(air.hears(0, 1))
    air.setPath(between: ids[1], and: ids[0], isOpen: false)
    #expect(!air.hears(0, 1) && !air.hears(1, 0) && air.hears(0, 2) && air.hears(1, 2))
    air.setPath(between: ids[0], and: ids[1], isOpen: true)
    #expect(air.hears(0, 1) && !air.hears(0, 0))
  }

  @Test func `a handle is free for the next link, which is another one`() {
    var conversation = AirConversation()
    conversation.connect()
    // b resets and connects anew while a still has the old link
    conversation.prepare(
      """
      b> 01 03 0C 00
      b> 01 01 0C 08  FF FF FF FF FF FF FF FF
      b> 01 0A 20 01  01
      c> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 0A 00  00 00 00 00
      20 ms
      """)
    expect(
      &conversation,
      """
      a> 02  40 00  05 00  01 00 04 00  0A
      c> 02  40 00  05 00  01 00 04 00  0C
      20 ms
      b< 02  40 20  05 00  01 00 04 00  0C
      c< 04 13 05  01 40 00 01 00
      60 ms
      a< 04 05 04  00 40 00 08
      """)
  }
}
