/// Where a controller is that this program has for itself.
package enum ControllerPlace: Hashable, Sendable {
  /// H4 over TCP, as in RootCanal, Bumble and the Android emulator.
  case tcp(host: String, port: UInt16)
  /// H4 on a serial port, with hardware flow control; the speed is in bits per second.
  case uart(path: String, speed: Int)
  /// An adapter of the kernel, by its index: 0 is hci0.
  case adapter(UInt16)
}

extension ControllerPlace: CustomStringConvertible {
  /// `localhost:6402`, `[::1]:6402`, `/dev/ttyACM0` or `hci0`.
  package var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .uart(let path, _): path
    case .adapter(let index): "hci\(index)"
    }
  }
}
