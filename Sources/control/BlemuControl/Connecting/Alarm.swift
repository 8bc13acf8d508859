import Glibc

/// Wakes a thread that waits for file descriptors.
struct Alarm: ~Copyable {
  /// Readable once it has been rung.
  let descriptor: Int32
  private let other: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let code = socketpair(AF_UNIX, kind, 0, &ends)
    precondition(code == 0, "the process may have two more file descriptors")
    (descriptor, other) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(other)
  }

  borrowing func ring() {
    // A full socket wakes the thread, too.
    _ = send(other, [1], 1, Int32(MSG_NOSIGNAL))
  }

  borrowing func reset() {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
