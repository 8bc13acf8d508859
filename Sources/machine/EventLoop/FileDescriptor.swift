import Glibc

/// Owns an open file descriptor and closes it with its last reference.
package final class FileDescriptor: Sendable {
  /// The number, valid while this object lives: `withExtendedLifetime` keeps one that no variable holds until the call on it
  /// returns.
  package let rawValue: Int32

  /// Takes over an open descriptor, which no other code may close.
  package init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { close(rawValue) }

  /// Takes over a descriptor that the loop cannot run without. If there is none (-1), ends the program with a message.
  convenience init(required rawValue: Int32) {
    guard rawValue >= 0 else {
      fatalError("the event loop has no file descriptor: \(String(cString: strerror(errno)))")
    }
    self.init(owning: rawValue)
  }
}

extension FileDescriptor {
  /// Writes the whole text, and waits for as long as that takes.
  ///
  /// - Returns: whether all of it was written; otherwise `errno` says why not.
  package func write(_ text: String) -> Bool { withExtendedLifetime(self) { Self.write(text, to: rawValue) } }

  /// Likewise, to a descriptor that another object owns.
  @discardableResult
  package static func write(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR, !waitsForRoom(descriptor) { return false }
      bytes = bytes.dropFirst(max(0, count))
    }
    return true
  }

  /// Waits until a descriptor that another program has made non-blocking takes more bytes.
  ///
  /// - Returns: whether it was full; otherwise `errno` is unchanged.
  private static func waitsForRoom(_ descriptor: Int32) -> Bool {
    guard errno == EAGAIN else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&entry, 1, -1)
    return true
  }
}

extension FileDescriptor: Equatable {
  package static func == (left: FileDescriptor, right: FileDescriptor) -> Bool { left === right }
}
