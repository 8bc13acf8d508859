import EventLoop

/// Why a text is not the place of a controller.
package enum ControllerPlaceMistake: Error, Hashable, Sendable {
  /// It begins neither with `tcp:` nor with `/`.
  case unknown(String)
  /// What follows `tcp:` is not a host and a port.
  case noHostAndPort(String)
  /// What follows the colon after the path.
  case badSpeed(String)
}

extension ControllerPlaceMistake: CustomStringConvertible {
  /// The mistake as a sentence without its full stop.
  package var description: String {
    switch self {
    case .unknown(let text):
      "a controller is tcp:HOST:PORT or the path of a serial port, not '\(text)'"
    case .noHostAndPort(let text):
      "tcp needs a host and a port, as in tcp:localhost:6402, not '\(text)'"
    case .badSpeed(let text):
      "the speed of a serial port is a number from \(ControllerPlace.speeds.lowerBound) to "
        + "\(ControllerPlace.speeds.upperBound), as in /dev/ttyACM0:\(ControllerPlace.standardSpeed), not '\(text)'"
    }
  }
}

extension ControllerPlace {
  /// As ``init(_:)`` reads it.
  package var argument: String {
    switch self {
    case .tcp: "tcp:\(self)"
    case .uart(let path, let speed): "\(path):\(speed)"
    case .adapter: description
    }
  }

  /// In bits per second.
  static let speeds = 1200...12_000_000
  /// That of Zephyr's HCI firmware for UARTs.
  package static let standardSpeed = 1_000_000

  /// Whether a text is meant as the place of a controller: it begins with `tcp:` or `/`, or is `tcp`.
  package static func isMeant(by text: String) -> Bool {
    text == "tcp" || text.hasPrefix("tcp:") || text.hasPrefix("/")
  }

  /// Reads `tcp:localhost:6402`, `tcp:[::1]:6402`, `/dev/ttyACM0` or `/dev/ttyACM0:1000000`.
  package init(_ text: String) throws(ControllerPlaceMistake) {
    guard Self.isMeant(by: text) else { throw .unknown(text) }
    if text.hasPrefix("/") {
      self = try Self.uart(text)
    } else {
      let place = String(text.dropFirst(4))
      // A port alone would be one of this machine.
      guard place.contains(":"), let socket = SocketPlace(place), socket.port > 0 else {
        throw .noHostAndPort(text)
      }
      self = .tcp(host: socket.host, port: socket.port)
    }
  }

  /// A path may contain colons, as those in /dev/serial/by-path do. Only a number after the last one is a speed.
  private static func uart(_ text: String) throws(ControllerPlaceMistake) -> Self {
    guard let colon = text.lastIndex(of: ":") else { return .uart(path: text, speed: standardSpeed) }
    let speed = text[text.index(after: colon)...]
    guard speed.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return .uart(path: text, speed: standardSpeed)
    }
    guard let number = Int(speed), speeds.contains(number) else { throw .badSpeed(String(speed)) }
    return .uart(path: String(text[..<colon]), speed: number)
  }
}
