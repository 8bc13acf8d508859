import Bluetooth
import EventLoop
import Kernel
import Wire

/// What one device at a time can have, or the devices of one process that name it alike.
package enum DeviceClaim {
  /// An adapter of BlueZ, for one device.
  case adapter(AdapterChoice)
  /// An adapter that is taken from the kernel, which several devices of a process share.
  case takenAdapter(AdapterChoice)
  /// A controller outside the kernel, which several devices of a process share.
  case controller(ControllerPlace)
  /// A file, a pseudo-terminal or a serial port.
  case file(String)
  case port(SocketPlace)

  package func collides(with other: Self) -> Bool {
    switch (self, other) {
    case (.adapter(.first), .adapter(.first)): false  // each takes the next that is free
    case (.adapter(let one), .adapter(let other)), (.adapter(let one), .takenAdapter(let other)),
      (.takenAdapter(let one), .adapter(let other)):
      one.isProbably(other)
    case (.takenAdapter(let one), .takenAdapter(let other)): one != other && one.isProbably(other)
    case (.file(let one), .file(let other)): one.isPath(other)
    case (.controller(.uart(let one, _)), .file(let other)),
      (.file(let one), .controller(.uart(let other, _))):
      one.isPath(other)
    case (.port(let one), .port(let other)): one.port == other.port && one.hasHost(of: other)
    default: false
    }
  }

  /// What it is, as in "hci0".
  package var words: String {
    switch self {
    case .adapter(let adapter), .takenAdapter(let adapter): adapter.words
    case .controller(let place): place.description
    case .file(let path): "'\(path)'"
    case .port(let place): "port \(place.port)"
    }
  }
}

extension TransportSpecification {
  /// Its adapter; nil: it has none.
  package var claim: DeviceClaim? {
    switch self {
    case .bluez(let adapter): .adapter(adapter)
    case .exact(let adapter): .takenAdapter(adapter)
    case .controller(let place): .controller(place)
    case .loopback: nil
    }
  }
}

extension WireSide {
  /// What it has for itself; nil: nothing.
  package var claim: DeviceClaim? {
    switch self {
    case .pseudoTerminal(let path), .serialDevice(let path, _): .file(path)
    case .tcp(let place) where place.port != 0: .port(place)
    case .none, .program, .tcp, .standardStreams: nil
    }
  }
}

extension AdapterChoice {
  fileprivate var words: String {
    switch self {
    case .first: "the first adapter"
    case .named(let name): name
    case .address(let address): address.description
    }
  }

  /// Whether two choices are the same adapter, as far as they say. The first is hci0 on most machines.
  fileprivate func isProbably(_ other: Self) -> Bool {
    let first = AdapterChoice.named("hci0")
    return self == other || (self == .first && other == first) || (self == first && other == .first)
  }
}

extension String {
  /// Whether two paths are the same, as far as they say: `./scale.state` and `scale.state`.
  fileprivate func isPath(_ other: String) -> Bool {
    hasPrefix("/") == other.hasPrefix("/") && parts == other.parts
  }

  private var parts: [Substring] { split(separator: "/").filter { $0 != "." } }
}

extension SocketPlace {
  private static let anyHost = ["0.0.0.0", "::"]

  fileprivate func hasHost(of other: Self) -> Bool {
    host == other.host || Self.anyHost.contains(host) || Self.anyHost.contains(other.host)
  }
}
