import Glibc

/// Ends a child if this process dies, even if it is killed: a shell waits for the end of a connection that only this process
/// has.
final class Guardian: Sendable {
  private let connection: Int32
  private let shell: Child?

  init(of child: Child) {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    connection = ends[0]
    shell = Child(
      ["/bin/sh", "-c", "read -r line; kill \(child.number)"], input: ends[1], output: "/dev/null",
      errors: "/dev/null")
    close(ends[1])
  }

  /// Ends the shell. Without delay once the child has been waited for: another process may get its number.
  func dismiss() { shell?.destroy() }

  deinit { close(connection) }
}
