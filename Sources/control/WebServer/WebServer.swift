import BlemuControl
import BlemuJSON
import EventLoop

/// The server of the page: its files, the devices that run, and a way to each.
@EventLoop
package final class WebServer {
  /// The most pages, or parts of one, that may be connected to devices at once.
  static let mostBridges = 200

  private let token = Token()
  private let listener: ListeningSocket
  private let access: AccessCheck
  private let selection: DeviceSelection
  private var server: HTTPServer?
  private var bridges: [ObjectIdentifier: ControlBridge] = [:]

  /// - Parameters:
  ///   - told: the host at which it shall listen, as it was told.
  ///   - devices: those that the page may show; empty: all that run.
  package init(_ listener: ListeningSocket, told: String, devices: [String] = []) {
    self.listener = listener
    access = AccessCheck(token: token, hosts: OwnHosts(told: told, isOpen: listener.isOpen))
    selection = DeviceSelection(names: devices)
    server = HTTPServer(listener) { [weak self] in self?.handle($0, $1) }
  }

  /// What a person opens in a browser. The token is in the fragment, which browsers do not send.
  package var addresses: [String] {
    access.hosts.names.map { host in
      "http://\(host.contains(":") ? "[\(host)]" : host):\(listener.port)/#token=\(token.text)"
    }
  }

  /// Tells all pages that the server ends, and ends it.
  package func close() {
    for bridge in bridges.values { bridge.finish() }
    server?.close()
    server = nil
  }
}

// MARK: Requests

extension WebServer {
  private func handle(_ request: RequestHead, _ connection: HTTPConnection) {
    switch access.decision(on: request) {
    case .refused(let refusal): connection.answer(refusal.answer)
    case .admitted: serve(request, connection)
    }
  }

  private func serve(_ request: RequestHead, _ connection: HTTPConnection) {
    switch request.path {
    case "/devices":
      let names: JSONValue = .array(selection.running.map(JSONValue.string))
      connection.answer(.json((["devices": names] as JSONValue).line))
    case "/face": serveFace(request, connection)
    case "/control": bridge(request, connection)
    default:
      let file = PageFile.at(request.path)
      connection.answer(file?.answer(to: request) ?? .text(404, "there is no such file"))
    }
  }

  private func serveFace(_ request: RequestHead, _ connection: HTTPConnection) {
    guard let name = request.query["device"], selection.contains(name) else {
      return connection.answer(.text(404, "there is no such device"))
    }
    do throws(ControlFailure) {
      _ = try DeviceQuestion(.describe, to: name) { description in
        connection.answer(
          description.flatMap(FaceFile.path).flatMap(HTTPAnswer.face(at:))
            ?? .text(404, "the device has no face"))
      }
    } catch {
      connection.answer(.text(404, "no such device runs"))
    }
  }
}

extension HTTPAnswer {
  /// nil: there is no such file.
  fileprivate static func face(at path: String) -> Self? {
    do throws(FaceFile.TooLarge) { return try FaceFile.read(path).map(face) } catch {
      return .text(413, "it has \(error.size) bytes, and at most \(FaceLimit.size) are possible")
    }
  }

  /// An SVG that others have written.
  private static func face(_ bytes: [UInt8]) -> Self {
    let headers = ["Content-Security-Policy": SecurityHeaders.facePolicy]
    return Self(status: 200, headers: notStored.merging(headers) { $1 }, type: "image/svg+xml", body: bytes)
  }
}

// MARK: WebSockets

extension WebServer {
  private func bridge(_ request: RequestHead, _ connection: HTTPConnection) {
    // A page cannot see the status of a refused handshake. So each page gets its WebSocket, which says why it ends.
    guard let page = connection.becomeWebSocket(for: request) else { return }
    bridge(page, to: request.query["device"] ?? "")
  }

  private func bridge(_ page: WebSocket, to name: String) {
    guard bridges.count < Self.mostBridges else { return page.close(.tryLater, "too many pages are open") }
    guard selection.contains(name) else { return page.close(.noDevice, "there is no such device") }
    do throws(ControlFailure) {
      let bridge = ControlBridge(page, to: try DeviceConnection(to: name), named: name)
      let number = ObjectIdentifier(bridge)
      bridges[number] = bridge
      bridge.onEnd = { [weak self] in self?.bridges[number] = nil }
    } catch {
      switch error {
      case .noAnswer: page.close(.noAnswer, "'\(name)' does not answer")
      default: page.close(.noDevice, "no device '\(name)' runs")
      }
    }
  }
}
