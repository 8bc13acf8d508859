import AttributeServer
import Bluetooth
import Testing

@Suite struct LinkSecurityTests {
  @Test func `the levels have an order`() {
    #expect(LinkSecurity.none < .encrypted)
    #expect(LinkSecurity.authenticated < .secureConnections)
  }
}
