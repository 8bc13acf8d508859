import TestSupport
import Testing

@testable import WebServer

/// Connections without a request.
@Suite struct WaitingTests {
  @Test func `one that sends no request ends after 10 seconds`() {
    var waiting = WaitingConnections()
    #expect(waiting.deadline == nil)
    #expect(waiting.add(5, at: 1_000_000) == nil)
    #expect(waiting.add(6, at: 3_000_000) == nil)
    #expect(waiting.deadline == 11_000_000)
    #expect(waiting.removeOverdue(at: 10_999_999) == [])
    #expect(waiting.removeOverdue(at: 11_000_000) == [5])
    #expect(waiting.deadline == 13_000_000)
    #expect(waiting.removeOverdue(at: 20_000_000) == [6])
    #expect(waiting.deadline == nil)
  }

  @Test func `one that has sent its request goes on`() {
    var waiting = WaitingConnections()
    _ = waiting.add(5, at: 0)
    waiting.remove(5)
    waiting.remove(6)
    #expect(waiting.deadline == nil)
    #expect(waiting.removeOverdue(at: 20_000_000) == [])
  }

  @Test func `the oldest of too many ends`() {
    var waiting = WaitingConnections()
    for number in 1...200 { #expect(waiting.add(Int32(number), at: Int64(number)) == nil) }
    #expect(waiting.add(201, at: 201) == 1)
    waiting.remove(2)
    #expect(waiting.add(202, at: 202) == nil)
    #expect(waiting.add(203, at: 203) == 3)
  }

  @Test func `one that has its answer waits anew`() {
    var waiting = WaitingConnections()
    _ = waiting.add(5, at: 0)
    _ = waiting.add(5, at: 4_000_000)
    #expect(waiting.removeOverdue(at: 10_000_000) == [])
    #expect(waiting.removeOverdue(at: 14_000_000) == [5])
  }

  @Test func `silent connections keep nobody else out`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    let silent = (0..<300).map { number in
      let browser = Browser(server.port)
      // Of one, the rest never comes; another one never ends, although it has its answer.
      if number % 3 == 0 { browser.write(Array("GET / HTTP/1.1\r\nHost: ".utf8)) }
      if number % 3 == 1 { browser.request("POST", "/", ["Host": server.host, "Content-Length": "9"]) }
      return browser
    }
    #expect(try server.answer("/devices").status == 200)
    for (number, browser) in silent.prefix(100).enumerated() {
      if number % 3 == 1 { #expect(try browser.answer().status == 405) }
      #expect(browser.hasEnded)
    }
    silent[299].request("GET", "/devices", server.own)
    #expect(try silent[299].answer().status == 200)
    page.send("on")
    #expect(try page.text() == "on")
    withExtendedLifetime(device) {}
    await server.close()
  }
}
