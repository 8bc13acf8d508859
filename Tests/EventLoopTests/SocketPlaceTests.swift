import Testing

@testable import EventLoop

@Suite struct SocketPlaceTests {
  @Test(
    arguments: [
      ("4000", "127.0.0.1", 4000), ("0.0.0.0:1", "0.0.0.0", 1), ("[::1]:65535", "::1", 65535),
      ("example.org:80", "example.org", 80),
    ] as [(String, String, UInt16)])
  func `an address is a port, or a host and a port`(text: String, host: String, port: UInt16) {
    #expect(SocketPlace(text)?.host == host)
    #expect(SocketPlace(text)?.port == port)
  }

  @Test(arguments: ["", "x", "70000", "-1", "+1", ":4000", "::1:4000", "host:", "host:x", "[]:1"])
  func `any other text is not an address`(text: String) {
    #expect(SocketPlace(text) == nil)
  }
}
