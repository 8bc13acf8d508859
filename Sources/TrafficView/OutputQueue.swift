import EventLoop
import Glibc

/// Lines on their way to a file descriptor, without ever waiting for whoever reads it.
///
/// A terminal that is stopped with Ctrl-S or a pipe that nobody reads must not hold up the device: lines
/// wait here, and past ``capacity`` bytes new ones are dropped, counted, and the count is said.
@EventLoop
package final class OutputQueue {
  package static let capacity = 4 << 20
  /// What a pipe takes without blocking once it is writable (PIPE_BUF).
  private static let portion = 4096

  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var dropped = 0
  private var watch: EventLoop.DescriptorWatch?
  private let droppedLine: (Int) -> String

  /// - Parameters:
  ///   - descriptor: borrowed, not closed.
  ///   - droppedLine: the line that says how many were dropped.
  package init(_ descriptor: Int32, droppedLine: @escaping (Int) -> String) {
    self.descriptor = descriptor
    self.droppedLine = droppedLine
  }

  /// Adds text that ends with a line feed.
  package func append(_ line: String) {
    guard pending.count < Self.capacity else {
      dropped += 1
      return
    }
    if dropped > 0 {
      pending += droppedLine(dropped).utf8
      dropped = 0
    }
    pending += line.utf8
  }

  /// Writes what can be written at once, and sees to the rest as soon as it can be.
  package func flush() {
    guard !writeReady(), watch == nil else { return }
    watch = EventLoop.DescriptorWatch(descriptor, for: .writable) { [weak self] ready in
      guard let self, writeReady() || !ready.isDisjoint(with: [.hangUp, .error]) else { return }
      watch = nil
    }
  }

  /// Writes what is left before the program ends; waits at most `milliseconds` for each portion.
  package func drain(milliseconds: Int32 = 1000) {
    while !pending.isEmpty, isWritable(within: milliseconds), writePortion() {}
  }

  /// Whether nothing is left.
  private func writeReady() -> Bool {
    while !pending.isEmpty, isWritable(within: 0), writePortion() {}
    return pending.isEmpty
  }

  private func isWritable(within milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) == 1 && poll.revents & Int16(POLLOUT) != 0
  }

  private func writePortion() -> Bool {
    let count = pending.withUnsafeBytes { write(descriptor, $0.baseAddress, min($0.count, Self.portion)) }
    if count < 0, errno != EINTR, errno != EAGAIN {
      pending.removeAll()  // nobody will ever read it
      return false
    }
    pending.removeFirst(max(0, count))
    return count > 0 || errno == EINTR
  }
}
