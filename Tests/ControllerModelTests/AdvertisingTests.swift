import Testing

@testable import ControllerModel

@Suite struct AdvertisingTests {
  @Test func `directed advertising with high duty cycle ends after 1280 ms`() {
    expect(
      """
      b> 01 06 20 0F  00 00 00 00  01 00  00 0C 00 00 00 00 00  07 00      # ADV_DIRECT_IND to c
      b< 04 0E 04 01 06 20 00
      b> 01 0A 20 01  01
      b< 04 0E 04 01 0A 20 00
      1279 ms
      1 ms
      b< 04 3E 1F  0A 3C 00 00 01  00 0C 00 00 00 00 00  00*12  00 00 00 00 00 00 01
      1 s
      """)
  }

  @Test func `only the target connects to directed advertising`() {
    expect(
      """
      b> 01 06 20 0F  00 00 00 00  01 00  00 0C 00 00 00 00 00  07 00
      b< 04 0E 04 01 06 20 00
      b> 01 0A 20 01  01
      b< 04 0E 04 01 0A 20 00
      a> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 64 00  00 00 00 00
      a< 04 0F 04 00 01 0D 20
      100 ms
      c> 01 0D 20 19  10 00 10 00  00 00 0B 00 00 00 00 00  00  08 00 08 00 00 00 64 00  00 00 00 00
      c< 04 0F 04 00 01 0D 20
      4 ms
      b< 04 3E 1F  0A 00 40 00 01  00 0C 00 00 00 00 00  00*12  08 00 00 00 64 00 01
      b< 04 3E 04  14 40 00 01
      c< 04 3E 1F  0A 00 40 00 00  00 0B 00 00 00 00 00  00*12  08 00 00 00 64 00 00
      c< 04 3E 04  14 40 00 01
      """)
  }

  /// LE Set Extended Advertising Parameters of set 3: ADV_NONCONN_IND every 20 ms.
  private let set3 =
    "01 36 20 19  03  10 00  20 00 00 20 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 01 00 00"

  @Test func `a set ends after its duration or its events`() {
    expect(
      """
      b> \(set3)
      b< 04 0E 05 01 36 20 00 08
      b> 01 39 20 06  01 01  03 05 00 00        # 50 ms
      b< 04 0E 04 01 39 20 00
      50 ms
      b< 04 3E 06  12 3C 03 00 00 00
      b> 01 39 20 06  01 01  03 00 00 02        # two events
      b< 04 0E 04 01 39 20 00
      100 ms
      b< 04 3E 06  12 43 03 00 00 02
      b> 01 39 20 06  01 01  03 05 00 00
      b< 04 0E 04 01 39 20 00
      b> 01 39 20 02  00 00                     # the host disables all: no event
      b< 04 0E 04 01 39 20 00
      100 ms
      """)
  }

  @Test func `a connection ends its set, and the other sets go on`() {
    expect(
      """
      # Sets 1 and 2: connectable legacy advertising with random addresses
      b> 01 36 20 19  01  13 00  20 00 00 20 00 00  07  01  00 00 00 00 00 00 00  00  7F  01 00 01 00 00
      b< 04 0E 05 01 36 20 00 08
      b> 01 36 20 19  02  13 00  20 00 00 20 00 00  07  01  00 00 00 00 00 00 00  00  7F  01 00 01 00 00
      b< 04 0E 05 01 36 20 00 08
      b> 01 35 20 07  01  11 00 00 00 00 C0
      b< 04 0E 04 01 35 20 00
      b> 01 35 20 07  02  22 00 00 00 00 C0
      b< 04 0E 04 01 35 20 00
      b> 01 39 20 0A  01 02  01 00 00 00  02 00 00 00
      b< 04 0E 04 01 39 20 00
      a> 01 43 20 1A  00 00  01 22 00 00 00 00 C0  01  10 00 10 00 08 00 08 00 00 00 64 00 00 00 00 00
      a< 04 0F 04 00 01 43 20
      100 ms
      a< 04 3E 1F  0A 00 40 00 00  01 22 00 00 00 00 C0  00*12  08 00 00 00 64 00 00
      a< 04 3E 04  14 40 00 01
      b< 04 3E 1F  0A 00 40 00 01  00 0A 00 00 00 00 00  00*12  08 00 00 00 64 00 01
      b< 04 3E 06  12 00 02 40 00 00
      b< 04 3E 04  14 40 00 01
      c> 01 43 20 1A  00 00  01 11 00 00 00 00 C0  01  10 00 10 00 08 00 08 00 00 00 64 00 00 00 00 00
      c< 04 0F 04 00 01 43 20
      100 ms
      b< 04 3E 1F  0A 00 41 00 01  00 0C 00 00 00 00 00  00*12  08 00 00 00 64 00 01
      b< 04 3E 06  12 00 01 41 00 00
      b< 04 3E 04  14 41 00 01
      c< 04 3E 1F  0A 00 40 00 00  01 11 00 00 00 00 C0  00*12  08 00 00 00 64 00 00
      c< 04 3E 04  14 40 00 01
      """)
  }

  @Test func `a controller may report the end of a set before its link`() {
    var conversation = AirConversation { $1.quirks.terminatesSetsFirst = true }
    conversation.prepare(
      """
      b> 01 36 20 19  01  13 00  20 00 00 20 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 01 00 00
      b> 01 39 20 06  01 01  01 00 00 00
      """)
    expect(
      &conversation,
      """
      a> 01 43 20 1A  00 00  00 0B 00 00 00 00 00  01  10 00 10 00 08 00 08 00 00 00 64 00 00 00 00 00
      a< 04 0F 04 00 01 43 20
      100 ms
      a< 04 3E 1F  0A 00 40 00 00  00 0B 00 00 00 00 00  00*12  08 00 00 00 64 00 00
      a< 04 3E 04  14 40 00 01
      b< 04 3E 06  12 00 01 40 00 00
      b< 04 3E 1F  0A 00 40 00 01  00 0A 00 00 00 00 00  00*12  08 00 00 00 64 00 01
      b< 04 3E 04  14 40 00 01
      """)
  }

  @Test func `extended data comes in fragments and is reported in fragments`() {
    var conversation = AirConversation()
    // Set 0: extended, neither connectable nor scannable, on LE 2M, set identifier 5
    conversation.prepare(
      """
      b> 01 36 20 19  00  00 00  A0 00 00 A0 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 02 05 00
      b> 01 37 20 FF  00 01 01 FB  11*251
      b> 01 37 20 0E  00 02 01 0A  22*10
      b> 01 39 20 06  01 01  00 00 00 00
      a> 01 41 20 08  00 00 01  00 10 00 10 00
      """)
    expect(
      &conversation,
      """
      a> 01 42 20 06  01 01 00 00 00 00
      a< 04 0E 04 01 42 20 00
      100 ms
      a< 04 3E FF  0D 01  20 00  00 0B 00 00 00 00 00  01 02 05 7F C4 00 00  00*7  E5 11*229
      a< 04 3E 3A  0D 01  00 00  00 0B 00 00 00 00 00  01 02 05 7F C4 00 00  00*7  20 11*22 22*10
      1 s
      """)
  }
}
