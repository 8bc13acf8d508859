import EventLoop
import Glibc

/// The journal of systemd, in its own protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): an entry is a datagram of fields.
package struct SystemJournal: Sendable {
  /// The levels of syslog(3).
  package enum Level: Int, Sendable {
    case error = 3
    case warning, notice, information, debug
  }

  package static let path = "/run/systemd/journal/socket"
  package static let identifier: StaticString = "blemu"

  private let socket: DatagramSocket

  package init?(at path: String = path) {
    guard let socket = DatagramSocket(to: path) else { return nil }
    self.socket = socket
  }

  /// The journal, if it takes what a descriptor is given.
  ///
  /// - Parameter stream: device and inode of the journal's stream, as systemd puts them in `JOURNAL_STREAM`.
  package init?(
    behind descriptor: Int32, stream: String? = getenv("JOURNAL_STREAM").map { String(cString: $0) },
    at path: String = path
  ) {
    var file = stat()
    guard let stream, fstat(descriptor, &file) == 0, stream == "\(file.st_dev):\(file.st_ino)" else {
      return nil
    }
    self.init(at: path)
  }

  /// Sends an entry, which consists of its fields.
  ///
  /// - Returns: whether the journal has taken it.
  package func send(_ entry: Span<UInt8>) -> Bool { socket.send(entry) == nil }

  /// Sends a message, which may have several lines.
  ///
  /// - Parameter device: the one that it is about.
  package func send(_ message: String, _ level: Level, of device: String? = nil) {
    var entry = Array("SYSLOG_IDENTIFIER=\(Self.identifier)\nPRIORITY=\(level.rawValue)\n".utf8)
    if let device { entry += Array("DEVICE=\(device)\n".utf8) }
    let text = Array(message.utf8)
    entry += Array("MESSAGE\n".utf8)
    withUnsafeBytes(of: UInt64(text.count).littleEndian) { entry += $0 }
    entry += text + [UInt8(ascii: "\n")]
    _ = send(entry.span)
  }
}
