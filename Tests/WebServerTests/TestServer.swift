import EventLoop
import Glibc
import TestSupport

@testable import WebServer

/// A server on a free port, and a folder for the sockets of devices.
@EventLoop
final class TestServer {
  nonisolated let folder: TemporaryFolder
  nonisolated let port: UInt16
  nonisolated let token: String
  private let server: WebServer

  /// - Parameter devices: the names of the sockets that the page may reach.
  init(_ devices: [String] = ["a", "b"], files: [String: String] = [:]) throws {
    signal(SIGPIPE, SIG_IGN)
    let folder = TemporaryFolder(files)
    let listener = try ListeningSocket(at: SocketPlace("127.0.0.1:0")!)
    server = WebServer(listener, told: "127.0.0.1", devices: devices.map { folder.path + $0 })
    (self.folder, port) = (folder, listener.port)
    token = String(server.addresses[0].split(separator: "=")[1])
  }

  func close() { server.close() }
}

extension TestServer {
  nonisolated var host: String { "127.0.0.1:\(port)" }

  nonisolated var own: [String: String] { ["Host": host, "Authorization": "Bearer \(token)"] }

  /// The answer to a request of the page, with some headers changed. An empty one is left out.
  nonisolated func answer(
    _ target: String, method: String = "GET", _ headers: [String: String] = [:]
  ) throws -> Browser.Answer {
    let browser = Browser(port)
    browser.request(method, target, own.merging(headers) { $1 }.filter { !$0.value.isEmpty })
    return try browser.answer(hasBody: method != "HEAD")
  }

  nonisolated var handshake: [String: String] {
    [
      "Upgrade": "websocket", "Connection": "Upgrade", "Origin": "http://\(host)",
      "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": "blemu, token.\(token)",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
  }

  /// A page that is connected to a device.
  nonisolated func page(for device: String = "a") throws -> Browser {
    let browser = Browser(port)
    browser.request(
      "GET", "/control?device=\(folder.path)\(device)", own.merging(handshake) { $1 })
    let answer = try browser.answer()
    // The answer to this key is in RFC 6455, section 1.3.
    guard answer.status == 101, answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
      answer.headers["sec-websocket-protocol"] == "blemu"
    else {
      throw Browser.Ended()
    }
    return browser
  }
}
