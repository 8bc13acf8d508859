import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Kernel

/// What a connection has reported, which it keeps open.
@EventLoop
final class Reports {
  let packets = Arrivals<String>()
  let ends = Arrivals<ControllerFinding>()
  private let connection: ControllerConnection

  init(of connection: ControllerConnection) {
    self.connection = connection
    connection.onPacket = { [weak self] in self?.packets.add(hexadecimal($0)) }
    connection.onEnd = { [weak self] in self?.ends.add($0) }
  }
}

extension ControllerConnection {
  @EventLoop func send(_ text: String) {
    let packets = bytes(text)
    send(packets.span)
  }
}

extension FileDescriptor {
  /// What the controller sends.
  func put(_ text: String) {
    let bytes = bytes(text)
    #expect(Glibc.write(rawValue, bytes, bytes.count) == bytes.count)
  }

  /// Waits for so many bytes.
  func take(_ count: Int) -> String {
    var found: [UInt8] = []
    while found.count < count {
      var poll = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 60_000) == 1 else { break }
      var buffer = [UInt8](repeating: 0, count: count - found.count)
      let length = read(rawValue, &buffer, buffer.count)
      guard length > 0 else { break }
      found += buffer[..<length]
    }
    return hexadecimal(found)
  }
}
