import EventLoop
import Glibc
import Testing

@testable import WebServer

/// The command line of `blemu-web`, and what it says of mistakes.
@Suite struct WebArgumentsTests {
  @Test func `without arguments it shows all devices at the standard place`() throws {
    let arguments = try WebArguments([])
    #expect(arguments.place == SocketPlace("127.0.0.1:25368"))
    #expect(arguments.devices == [])
  }

  @Test(arguments: [
    ["--listen", "0.0.0.0:8080", "belt", "./a.sock"], ["belt", "--listen=0.0.0.0:8080", "./a.sock"],
    ["--listen", "0.0.0.0:8080", "--", "belt", "./a.sock"],
  ])
  func `a place and names are read`(words: [String]) throws {
    let arguments = try WebArguments(words)
    #expect(arguments.place == SocketPlace("0.0.0.0:8080"))
    #expect(arguments.devices == ["belt", "./a.sock"])
  }

  @Test(arguments: [
    (["--listen"], WebError.missingValue("--listen")), (["--listen", "x"], .badPlace("x")),
    (["--listen="], .badPlace("")), (["--listen", "::1:80"], .badPlace("::1:80")),
    (["--lsiten"], .unknownOption("--lsiten")), (["-x"], .unknownOption("-x")), (["a b"], .badName("a b")),
    (["--", "--listen"], .badName("--listen")),
  ])
  func `a mistake is found`(words: [String], error: WebError) {
    #expect(throws: error) { try WebArguments(words) }
    #expect(error.status == 64)
  }

  @Test(arguments: [
    (EADDRINUSE, Int32(73), "port 80 is in use"),
    (EADDRNOTAVAIL, 73, "192.0.2.9 is not an address of this machine"),
    (EACCES, 77, "port 80 needs privileges"),
    (ENOMEM, 73, "cannot listen on 192.0.2.9, port 80: Cannot allocate memory"),
  ])
  func `a place at which it cannot listen is explained`(code: Int32, status: Int32, message: String) {
    let error = WebError.cannotListen(SocketPlace("192.0.2.9:80")!, code)
    #expect(error.status == status)
    #expect(error.text.hasPrefix("blemu: \(message)\n  "))
  }

  @Test func `two servers cannot have one port`() throws {
    let first = try ListeningSocket(at: SocketPlace("127.0.0.1:0")!)
    let place = SocketPlace("127.0.0.1:\(first.port)")!
    #expect(throws: WebError.cannotListen(place, EADDRINUSE)) { try ListeningSocket(at: place) }
  }

  @Test(arguments: [("127.0.0.1:0", false), ("0.0.0.0:0", true), ("localhost:0", false)])
  func `a listener knows whether others can connect`(place: String, isOpen: Bool) throws {
    #expect(try ListeningSocket(at: SocketPlace(place)!).isOpen == isOpen)
  }
}
