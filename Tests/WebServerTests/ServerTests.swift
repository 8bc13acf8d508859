import EventLoop
import Glibc
import TestSupport
import Testing

@testable import WebServer

/// What the server answers to a browser.
@Suite struct ServerTests {
  @Test func `the page is public, and sets no cookie`() async throws {
    let server = try await TestServer()
    let page = try server.answer("/", ["Authorization": ""])
    #expect(page.status == 200)
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["cache-control"] == "no-store")
    #expect(page.headers["set-cookie"] == nil)
    #expect(page.body == PageFile.all["/page.html"]?.text)
    await server.close()
  }

  @Test func `each file of the page is in the program`() async throws {
    let folder = Repository.path + "Sources/control/PageFiles/files"
    #expect(
      PageFile.all.keys.sorted()
        == (Repository.names(in: folder).map { "/" + $0 } + [WebServer.script]).sorted())
    let server = try await TestServer()
    for (path, file) in PageFile.all {
      if path != WebServer.script {
        #expect(Repository.bytes(ofFile: folder + path) == Array(file.text.utf8))
      }
      let answer = try server.answer(path)
      #expect(answer.status == 200)
      #expect(answer.body == file.text)
      #expect(answer.headers["content-type"] == file.type)
    }
    await server.close()
  }

  @Test func `each part of the script for web apps is in it, in a scope of its own`() throws {
    let folder = Repository.path + "Sources/control/PageFiles/web-bluetooth/"
    let script = try #require(PageFile.at(WebServer.script)).text
    #expect(script.hasPrefix("(()=>{\n") && script.hasSuffix("})();\n"))
    var length = "(()=>{\n})();\n".utf8.count
    for name in Repository.names(in: folder) {
      let part = String(decoding: try #require(Repository.bytes(ofFile: folder + name)), as: UTF8.self)
      #expect(script.contains(part), "\(name) is not listed in PageFiles.c")
      length += part.utf8.count
    }
    #expect(script.utf8.count == length)
  }

  @Test func `a browser gets a file once, as long as it is the same`() async throws {
    let server = try await TestServer()
    let tag = try #require(try server.answer("/app.js").headers["etag"])
    #expect(try server.answer("/app.js", ["If-None-Match": tag]).status == 304)
    #expect(try server.answer("/app.js", ["If-None-Match": "\"0\""]).status == 200)
    let head = try server.answer("/app.js", method: "HEAD")
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == "\(PageFile.all["/app.js"]!.text.utf8.count)")
    await server.close()
  }

  @Test(arguments: [
    ("GET", "/devices", ["Authorization": ""], 403), ("GET", "/devices", ["Authorization": "Bearer 0"], 403),
    ("GET", "/face?device=a", ["Authorization": ""], 403),
    ("GET", "/control?device=a", ["Authorization": ""], 403),
    ("GET", "/devices", ["Host": "evil.example"], 403), ("GET", "/devices", ["Origin": "null"], 403),
    ("GET", "/control?device=a", ["Origin": "http://evil.example"], 403), ("POST", "/", [:], 405),
    ("PUT", "/devices", [:], 405), ("OPTIONS", "/devices", ["Origin": "http://evil.example"], 405),
    ("GET", "/nothing", [:], 404), ("GET", "/files/app.js", [:], 404), ("GET", "/../app.js", [:], 404),
    ("GET", "/%2e%2e/etc/passwd", [:], 404), ("GET", "//app.js", [:], 404), ("GET", "/app.js/", [:], 404),
    ("GET", "/face", [:], 404), ("GET", "/face?device=../../etc/passwd", [:], 404),
    ("GET", "/control?device=a", [:], 400), ("GET", "http://127.0.0.1/app.js", [:], 400),
    ("GET", "/app.js", ["Content-Length": "1"], 413), ("HEAD", "/app.js", ["Content-Length": "1"], 413),
    ("GET", "/app.js", ["Transfer-Encoding": "chunked"], 501), ("GET", "/app.js", ["Expect": "more"], 417),
    ("GET", "/app.js", ["Cookie": String(repeating: "a", count: 1 << 16)], 431),
  ])
  func `what is not possible is refused, with all headers`(
    method: String, target: String, headers: [String: String], status: Int
  ) async throws {
    let server = try await TestServer()
    let answer = try server.answer(target, method: method, headers)
    #expect(answer.status == status)
    for (name, value) in SecurityHeaders.all { #expect(answer.headers[name.lowercased()] == value) }
    #expect(answer.headers["set-cookie"] == nil)
    #expect(!answer.body.contains(server.token))
    await server.close()
  }

  @Test(arguments: [
    ["Origin": ""], ["Origin": "http://evil.example"], ["Sec-WebSocket-Protocol": ""],
    ["Sec-WebSocket-Protocol": "blemu"], ["Sec-WebSocket-Protocol": "blemu, token.0"],
    ["Host": "evil.example"],
    ["Sec-WebSocket-Version": "12"], ["Sec-WebSocket-Version": ""], ["Sec-WebSocket-Key": ""],
    ["Sec-WebSocket-Key": "dGhlIHNhbXBsZQ=="], ["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ!="],
    ["Sec-WebSocket-Key": "dGhlIHNhbXBsZS!ub25jZQ=="], ["Connection": "close"], ["Connection": ""],
  ])
  func `a wrong handshake gives no WebSocket`(headers: [String: String]) async throws {
    let server = try await TestServer()
    let device = await TestDevice(echoingAt: server.folder.path + "a")
    let changed = server.handshake.merging(headers) { $1 }
    let answer = try server.answer("/control?device=\(server.folder.path)a", changed)
    #expect(answer.status == 403 || answer.status == 400)
    #expect(await device.connections.isEmpty)
    await server.close()
  }

  @Test(arguments: ["Upgrade", "upgrade", "keep-alive, Upgrade", "keep-alive ,\tupgrade , x"])
  func `a handshake gives a WebSocket`(connection: String) async throws {
    let server = try await TestServer()
    let answer = try server.answer(
      "/control?device=a", server.handshake.merging(["Connection": connection]) { $1 })
    #expect(answer.status == 101)
    #expect(answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(answer.headers["connection"] == "Upgrade" && answer.headers["content-length"] == nil)
    await server.close()
  }

  @Test func `a client that does not wait for its WebSocket gets none`() async throws {
    let server = try await TestServer()
    let browser = Browser(server.port)
    let fields = server.handshake.merging(["Host": server.host]) { $1 }.map { "\($0): \($1)\r\n" }.joined()
    browser.write(Array("GET /control?device=a HTTP/1.1\r\n\(fields)\r\n".utf8) + Browser.frame([97]))
    let answer = try browser.answer()
    #expect(answer.status == 400 && answer.headers["sec-websocket-version"] == "13")
    await server.close()
  }

  @Test func `a request arrives in pieces, and its answer ends the connection`() async throws {
    let server = try await TestServer()
    let browser = Browser(server.port)
    for byte in "GET /app.js HTTP/1.1\r\nHost: \(server.host)\r\n\r\n".utf8 { browser.write([byte]) }
    let answer = try browser.answer()
    #expect(answer.status == 200 && answer.headers["connection"] == "close")
    #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
    #expect(browser.hasEnded)
    await server.close()
  }

  @Test func `what is no HTTP is refused at once`() async throws {
    let server = try await TestServer()
    for text in ["\u{16}\u{3}\u{1}", "SSH-2.0-x\r\n", "GET / HTTP/2.0\r\n"] {
      let browser = Browser(server.port)
      browser.write(Array(text.utf8))
      #expect(try browser.answer().status == (text.hasPrefix("GET") ? 505 : 400))
      #expect(browser.hasEnded)
    }
    await server.close()
  }

  @Test func `only devices that run are listed`() async throws {
    let server = try await TestServer(["b", "a", "c"])
    #expect(try server.answer("/devices").body == #"{"devices": []}"#)
    let first = await TestDevice(echoingAt: server.folder.path + "b")
    let second = await TestDevice(at: server.folder.path + "a", nil)
    let names = ["a", "b"].map { "\"\(server.folder.path)\($0)\"" }.joined(separator: ", ")
    #expect(try server.answer("/devices").body == "{\"devices\": [\(names)]}")
    await first.end()
    withExtendedLifetime((first, second)) {}
    await server.close()
  }

  @Test func `a request with a large body is refused without reading it into memory`() async throws {
    let server = try await TestServer()
    let browser = Browser(server.port)
    browser.request("POST", "/", server.own.merging(["Content-Length": "1000000"]) { $1 })
    browser.write([UInt8](repeating: 0, count: 1_000_000))
    #expect(try browser.answer().status == 405)
    await server.close()
  }
}
