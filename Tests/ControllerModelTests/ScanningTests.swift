import Testing

@testable import ControllerModel

@Suite struct ScanningTests {
  /// b: ADV_IND every 100 ms, with data and a scan response.
  private let advertise = """
    b> 01 06 20 0F  A0 00 A0 00  00 00  00 00 00 00 00 00 00  07 00
    b> 01 08 20 20  03 02 01 06 00*28
    b> 01 09 20 20  03 02 09 42 00*28
    b> 01 0A 20 01  01
    """

  @Test func `an active scanner gets the scan response`() {
    var conversation = AirConversation()
    conversation.prepare(advertise)
    conversation.prepare("a> 01 0B 20 07  01 10 00 10 00 00 00")
    expect(
      &conversation,
      """
      a> 01 0C 20 02  01 01
      a< 04 0E 04 01 0C 20 00
      20 ms
      a< 04 3E 0F  02 01 00  00 0B 00 00 00 00 00  03 02 01 06  C4
      a< 04 3E 0F  02 01 04  00 0B 00 00 00 00 00  03 02 09 42  C4
      1 s
      """)
  }

  @Test func `without the filter, each advertising event is reported`() {
    var conversation = AirConversation()
    conversation.prepare(advertise)
    conversation.prepare("a> 01 0C 20 02  01 00")
    let reports = conversation.play("1 s").split(separator: "\n").filter { $0.hasPrefix("a< 04 3E") }
    #expect((9...10).contains(reports.count), "100 ms, and up to 10 ms more")
    #expect(Set(reports) == ["a< 04 3E 0F 02 01 00 00 0B 00 00 00 00 00 03 02 01 06 C4"])
  }

  @Test func `extended reports describe legacy advertising`() {
    var conversation = AirConversation()
    conversation.prepare(advertise)
    conversation.prepare("a> 01 41 20 08  00 00 01  01 10 00 10 00")
    expect(
      &conversation,
      """
      a> 01 42 20 06  01 01  32 00 00 00     # for 500 ms
      a< 04 0E 04 01 42 20 00
      490 ms
      a< 04 3E 1D  0D 01  13 00  00 0B 00 00 00 00 00  01 00 FF 7F C4 00 00  00*7  03 02 01 06
      a< 04 3E 1D  0D 01  1B 00  00 0B 00 00 00 00 00  01 00 FF 7F C4 00 00  00*7  03 02 09 42
      10 ms
      a< 04 3E 01  11
      500 ms
      """)
  }

  @Test func `a legacy scanner does not hear extended advertising`() {
    var conversation = AirConversation()
    conversation.prepare(
      """
      b> 01 36 20 19  00  00 00  20 00 00 20 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 01 00 00
      b> 01 39 20 06  01 01  00 00 00 00
      """)
    expect(
      &conversation,
      """
      a> 01 0C 20 02  01 00
      a< 04 0E 04 01 0C 20 00
      1 s
      """)
  }

  @Test func `a scanner that lacks room truncates`() {
    var conversation = AirConversation { $1.reportedDataSize = 3 }
    conversation.prepare(
      """
      b> 01 36 20 19  00  00 00  20 00 00 20 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 01 00 00
      b> 01 37 20 08  00 03 01 04  11 22 33 44
      b> 01 39 20 06  01 01  00 00 00 00
      """)
    expect(
      &conversation,
      """
      a> 01 42 20 06  01 01  00 00 00 00
      a< 04 0E 04 01 42 20 00
      20 ms
      a< 04 3E 1D  0D 01  40 00  00 0B 00 00 00 00 00  01 01 00 7F C4 00 00  00*7  03 11 22 33
      """)
  }

  @Test func `extended advertising that can be scanned has only a scan response`() {
    var conversation = AirConversation()
    // With LE Scan Request Received
    conversation.prepare(
      """
      b> 01 36 20 19  00  02 00  20 00 00 20 00 00  07  00  00 00 00 00 00 00 00  00  7F  01 00 01 00 01
      b> 01 38 20 06  00 03 01 02  11 22
      b> 01 39 20 06  01 01  00 00 00 00
      a> 01 41 20 08  00 00 01  01 10 00 10 00
      """)
    expect(
      &conversation,
      """
      a> 01 42 20 06  01 01  00 00 00 00
      a< 04 0E 04 01 42 20 00
      15 ms
      a< 04 3E 1A  0D 01  02 00  00 0B 00 00 00 00 00  01 01 00 7F C4 00 00  00*7  00
      a< 04 3E 1C  0D 01  0A 00  00 0B 00 00 00 00 00  01 01 00 7F C4 00 00  00*7  02 11 22
      b< 04 3E 09  13 00  00 0A 00 00 00 00 00
      """)
  }

  @Test func `a filter policy lets only the accept list through`() {
    var conversation = AirConversation()
    conversation.prepare(advertise)
    conversation.prepare("c> 01 0A 20 01  01")
    expect(
      &conversation,
      """
      a> 01 11 20 07  00 0C 00 00 00 00 00
      a< 04 0E 04 01 11 20 00
      a> 01 0B 20 07  00 10 00 10 00 00 01
      a< 04 0E 04 01 0B 20 00
      a> 01 0C 20 02  01 01
      a< 04 0E 04 01 0C 20 00
      a> 01 10 20 00                           # the list is in use
      a< 04 0E 04 01 10 20 0C
      2 s
      a< 04 3E 0C  02 01 00  00 0C 00 00 00 00 00  00  C4
      """)
  }

  @Test func `advertising to a private address is reported for the host to resolve`() {
    expect(
      """
      # ADV_DIRECT_IND with low duty cycle to 40:00:00:00:00:01, a resolvable private address
      b> 01 06 20 0F  A0 00 A0 00  04 00  01 01 00 00 00 00 40  07 00
      b< 04 0E 04 01 06 20 00
      b> 01 0A 20 01  01
      b< 04 0E 04 01 0A 20 00
      a> 01 0B 20 07  00 10 00 10 00 00 02
      a< 04 0E 04 01 0B 20 00
      a> 01 0C 20 02  01 01
      a< 04 0E 04 01 0C 20 00
      200 ms
      a< 04 3E 12  0B 01 01  00 0B 00 00 00 00 00  01 01 00 00 00 00 40  C4
      """)
  }
}
