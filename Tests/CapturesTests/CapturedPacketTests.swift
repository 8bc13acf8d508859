import Captures
import Testing

struct CapturedPacketTests {
  @Test func bothEndsOfALinkAreEachOthersOther() {
    #expect(LinkRole.central.other == .peripheral)
    #expect(LinkRole.peripheral.other == .central)
  }
}
