import EventLoop
import Glibc

/// Two ends of a stream, closed in programs that are started.
package struct Pipe {
  package let read: FileDescriptor
  package let write: FileDescriptor

  package init() throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw PrivateBus.Failure(what: "socketpair", error: errno)
    }
    read = FileDescriptor(owning: ends[0])
    write = FileDescriptor(owning: ends[1])
  }

  package func readLine() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while Glibc.read(read.rawValue, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    guard !line.isEmpty else { throw PrivateBus.Failure(what: "dbus-daemon prints no address", error: 0) }
    return String(decoding: line, as: UTF8.self)
  }
}

extension FileDescriptor {
  /// Whether the other end of the stream is closed everywhere, now or within a minute.
  package var hasEnded: Bool {
    var event = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&event, 1, 60_000) == 1 && recv(rawValue, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }
}
