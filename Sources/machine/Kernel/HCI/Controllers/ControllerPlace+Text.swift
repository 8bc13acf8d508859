import EventLoop

/// Why a text is not the place of a controller.
package struct ControllerPlaceMistake: Error, CustomStringConvertible {
  /// A sentence without its full stop.
  package let description: String

  fileprivate init(_ description: String) { self.description = description }
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
    guard Self.isMeant(by: text) else {
      throw ControllerPlaceMistake(
        "a controller is tcp:HOST:PORT or the path of a serial port, not '\(text)'")
    }
    if text.hasPrefix("/") {
      self = try Self.uart(text)
    } else {
      let place = String(text.dropFirst(4))
      // A port alone would be one of this machine.
      guard place.contains(":"), let socket = SocketPlace(place), socket.port > 0 else {
        throw ControllerPlaceMistake(
          "tcp needs a host and a port, as in tcp:localhost:6402, not '\(text)'")
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
    guard let number = Int(speed), speeds.contains(number) else {
      throw ControllerPlaceMistake(
        "the speed of a serial port is a number from \(speeds.lowerBound) to \(speeds.upperBound), "
          + "as in /dev/ttyACM0:\(standardSpeed), not '\(speed)'")
    }
    return .uart(path: String(text[..<colon]), speed: number)
  }
}
