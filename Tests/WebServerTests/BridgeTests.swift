import EventLoop
import Glibc
import TestSupport
import Testing

@testable import WebServer

/// The way between a page and a device.
@Suite struct BridgeTests {
  @Test func `10,000 lines keep their order both ways`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    for number in 0..<10_000 { page.send("line \(number)") }
    for number in 0..<10_000 { #expect(try page.text() == "line \(number)") }
    withExtendedLifetime(device) {}
    await server.close()
  }

  @Test func `long lines arrive`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    for size in [1 << 16, FrameReader.longest, FrameReader.longest - 1] {
      let line = String(repeating: "ä", count: size / 2) + String(repeating: "x", count: size % 2)
      page.send(line)
      #expect(try page.text() == line)
    }
    withExtendedLifetime(device) {}
    await server.close()
  }

  @Test func `an answer of several MiB arrives`() async throws {
    let server = try await TestServer()
    let answer = [UInt8](repeating: 97, count: 6 << 20)
    let device = await TestDevice(at: server.folder.path + "a") { connection, _ in
      connection.send(answer + [10])
    }
    let page = try server.page()
    page.send("question")
    #expect(try page.frame().payload == answer)
    withExtendedLifetime(device) {}
    await server.close()
  }

  @Test func `an answer without an end is too long`() async throws {
    let server = try await TestServer()
    let answer = [UInt8](repeating: 97, count: DeviceConnection.longest + 1)
    let device = await TestDevice(at: server.folder.path + "a") { connection, _ in connection.send(answer) }
    let page = try server.page()
    page.send("question")
    #expect(try page.close().code == 1009)
    withExtendedLifetime(device) {}
    await server.close()
  }

  @Test func `the page is told when the device ends, after its last line`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    page.send("last")
    #expect(try page.text() == "last")
    await device.end()
    let path = server.folder.path + "a"
    #expect(try page.close() == (1001, "'\(path)' has ended, or has closed the connection"))
    await server.close()
  }

  @Test func `the device is disconnected when the page ends`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    do {
      let page = try server.page()
      page.send("line")
      #expect(try page.text() == "line")
    }
    _ = try await device.ends.wait()
    let page = try server.page()
    page.send("\u{3}\u{E8}", kind: 0x88)
    _ = try await device.ends.wait(for: 2)
    await server.close()
  }

  @Test func `a page is told that a device is not there`() async throws {
    let server = try await TestServer()
    #expect(try server.page().close() == (4404, "no device '\(server.folder.path)a' runs"))
    #expect(try server.page(for: "other").close() == (4404, "there is no such device"))
    await server.close()
  }

  @Test func `a stopped device keeps nobody waiting`() async throws {
    let server = try await TestServer()
    let stopped = await TestDevice(at: server.folder.path + "a", backlog: 0, nil)
    let device = await TestDevice(echoingAt: server.folder.path + "b")
    let waiting = try server.page()
    waiting.send("question")
    let refused = try server.page().close()
    #expect(refused.code == 4408)
    #expect(try server.answer("/devices").body.contains("\(server.folder.path)a"))
    let page = try server.page(for: "b")
    page.send("line")
    #expect(try page.text() == "line")
    withExtendedLifetime((stopped, device, waiting)) {}
    await server.close()
  }

  @Test func `a page that does not read keeps nobody waiting, and loses nothing`() async throws {
    let server = try await TestServer()
    let line = [UInt8](repeating: 97, count: 1 << 16) + [10]
    let flood = await TestDevice(at: server.folder.path + "a") { connection, _ in
      for _ in 0..<1024 { connection.send(line) }
    }
    let device = await TestDevice(echoingAt: server.folder.path + "b")
    let stalled = try server.page()
    stalled.send("go")
    let page = try server.page(for: "b")
    for number in 0..<200 {
      page.send("\(number)")
      #expect(try page.text() == "\(number)")
    }
    // What does not fit into the buffers of the kernel waits in the device.
    #expect(await flood.connections[0].unread > 16 << 20)
    for _ in 0..<1024 { #expect(try stalled.frame().payload.count == 1 << 16) }
    withExtendedLifetime((flood, device)) {}
    await server.close()
  }

  @Test(arguments: [
    (Browser.frame(Array("a\nb".utf8)), 1008), (Browser.frame([1], kind: 0x82), 1003),
    (Browser.frame([0xFF]), 1007), ([0x81, 0x01, 0x61], 1002),
    ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 0], 1009),
  ])
  func `what is no line ends the WebSocket, with a reason`(bytes: [UInt8], code: Int) async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    page.write(bytes)
    let close = try page.close()
    #expect(close.code == code)
    #expect(!close.reason.isEmpty)
    _ = try await device.ends.wait()
    await server.close()
  }

  @EventLoop
  @Test func `nothing remains of a WebSocket whose client has gone`() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    Glibc.close(ends[1])
    weak var remains: WebSocket?
    do {
      let page = WebSocket(FileDescriptor(owning: ends[0]))
      remains = page
      page.close(.noDevice, "no device 'a' runs")
    }
    #expect(remains == nil)
  }

  @Test func `a ping is answered`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    page.send("beat", kind: 0x89)
    #expect(try page.frame() == (0x8A, Array("beat".utf8)))
    withExtendedLifetime(device) {}
    await server.close()
  }

  @Test func `all pages are told that the server ends`() async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let page = try server.page()
    page.send("line")
    #expect(try page.text() == "line")
    await server.close()
    #expect(try page.close() == (1001, "blemu web has ended"))
    withExtendedLifetime(device) {}
  }
}
