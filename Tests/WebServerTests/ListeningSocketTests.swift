import EventLoop
import Glibc
import Testing

@testable import WebServer

/// Where the server listens.
@Suite struct ListeningSocketTests {
  @Test func `two servers cannot have one port`() throws {
    let first = try ListeningSocket(at: SocketPlace("127.0.0.1:0")!)
    let place = SocketPlace("127.0.0.1:\(first.port)")!
    #expect(throws: ListeningFailure.refused(EADDRINUSE)) { try ListeningSocket(at: place) }
  }

  @Test(arguments: [("127.0.0.1:0", false), ("0.0.0.0:0", true), ("localhost:0", false)])
  func `a listener knows whether others can connect`(place: String, isOpen: Bool) throws {
    #expect(try ListeningSocket(at: SocketPlace(place)!).isOpen == isOpen)
  }
}
