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
  ///   - apps: the origins of web apps that may play centrals of these devices.
  package init(
    _ listener: ListeningSocket, told: String, devices: [String] = [], apps: [PageOrigin] = []
  ) {
    self.listener = listener
    access = AccessCheck(
      token: token, hosts: OwnHosts(told: told, isOpen: listener.isOpen), apps: Set(apps))
    selection = DeviceSelection(names: devices)
    server = HTTPServer(listener) { [weak self] in self?.handle($0, $1) }
  }

  /// What a person opens in a browser. The token is in the fragment, which browsers do not send.
  package var addresses: [String] { origins.map { "\($0)/#token=\(token.text)" } }

  /// What a web app has in its page, so that it finds devices in memory.
  package var scripts: [String] { origins.map { "<script src=\"\($0)\(Self.script)\"></script>" } }

  private var origins: [String] {
    access.hosts.names.map { host in
      "http://\(host.contains(":") ? "[\(host)]" : host):\(listener.port)"
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
    case .admittedApp(let origin): serveApp(request, of: origin, connection)
    }
  }

  private func serve(_ request: RequestHead, _ connection: HTTPConnection) {
    switch request.path {
    case "/devices": connection.answer(devices)
    case "/face": serveFace(request, connection)
    case "/control": bridge(request, connection)
    default:
      let file = PageFile.at(request.path)
      connection.answer(file?.answer(to: request) ?? .text(404, "there is no such file"))
    }
  }

  private var devices: HTTPAnswer {
    let names: JSONValue = .array(selection.running.map(JSONValue.string))
    return .json((["devices": names] as JSONValue).line)
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

// MARK: Web apps

extension WebServer {
  /// Web Bluetooth over WebSockets, for pages from elsewhere.
  nonisolated static let script = "/web-bluetooth.js"
  nonisolated private static let central = "/central"
  /// What a web app may ask for.
  nonisolated static let pathsOfApps: Set = [script, "/devices", central]

  private func serveApp(_ request: RequestHead, of origin: PageOrigin?, _ connection: HTTPConnection) {
    switch request.path {
    case Self.central: bridge(request, connection, only: Self.methodOfApps)
    case "/devices": connection.answer(devices.shared(with: origin))
    default: connection.answer(PageFile.at(Self.script)!.answer(to: request).shared(with: origin))
    }
  }

  /// An app can do to a device what a phone nearby can: it plays a central.
  nonisolated private static let methodOfApps = ControlMethod.central
}

extension HTTPAnswer {
  /// Lets a page from elsewhere read it.
  fileprivate func shared(with origin: PageOrigin?) -> Self {
    var answer = self
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    answer.headers["Vary"] = "Origin"
    if let origin { answer.headers["Access-Control-Allow-Origin"] = origin.text }
    return answer
  }
}

// MARK: WebSockets

extension WebServer {
  private func bridge(
    _ request: RequestHead, _ connection: HTTPConnection, only method: ControlMethod? = nil
  ) {
    // A page cannot see the status of a refused handshake. So each page gets its WebSocket, which says why it ends.
    guard let page = connection.becomeWebSocket(for: request) else { return }
    bridge(page, to: request.query["device"] ?? "", only: method)
  }

  private func bridge(_ page: WebSocket, to name: String, only method: ControlMethod?) {
    guard bridges.count < Self.mostBridges else { return page.close(.tryLater, "too many pages are open") }
    guard selection.contains(name) else { return page.close(.noDevice, "there is no such device") }
    do throws(ControlFailure) {
      let bridge = ControlBridge(page, to: try DeviceConnection(to: name), named: name, only: method)
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
