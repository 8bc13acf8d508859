import EventLoop
import Glibc

/// The pipes between blemu and another program, both ends of each.
///
/// The pipes outlive the program. When it restarts, it reads the bytes that it had not read before, and no output is
/// lost.
struct ProgramStreams {
  let input: Pipe
  let output: Pipe
  let errors: Pipe

  /// Bytes go from `writer` to `reader`.
  struct Pipe {
    let reader: FileDescriptor
    let writer: FileDescriptor
  }

  init() throws(WireError) {
    input = try Self.makePipe()
    output = try Self.makePipe()
    errors = try Self.makePipe()
    // Only our ends are non-blocking. The other program expects blocking ones.
    for end in [input.writer, output.reader, errors.reader] {
      _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
    }
  }

  private static func makePipe() throws(WireError) -> Pipe {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw WireError(
        message: "cannot create a pipe: \(String(cString: strerror(errno)))",
        hint: "allow more open files (ulimit -n)")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return Pipe(reader: FileDescriptor(owning: ends[0]), writer: FileDescriptor(owning: ends[1]))
  }
}
