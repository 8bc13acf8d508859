import Glibc

extension EventLoop {
  /// Bytes on their way to a file descriptor, in order and without ever waiting for whoever reads them.
  ///
  /// Descriptors in blocking mode are served, too: standard output is in it, and must stay so for the programs
  /// that share it. So each portion is written only when the descriptor is writable, and is no longer than what a
  /// writable pipe takes whole (`PIPE_BUF`, pipe(7)).
  @EventLoop
  package final class DescriptorWriter {
    package static let portion = Int(PIPE_BUF)

    private let descriptor: Int32
    private var waiting: ArraySlice<UInt8> = []
    private var watch: DescriptorWatch?

    /// Called when bytes that had to wait have gone.
    package var onProgress: (() -> Void)?
    /// Called when the last byte that had to wait has gone.
    package var onEmpty: (() -> Void)?
    /// Called with `errno` when nobody will ever read what waits; unless it is taken then, it is dropped.
    package var onFailure: ((Int32) -> Void)?

    /// - Parameter descriptor: Borrowed, not closed; it must stay open until ``end()``.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// How many bytes have not been written.
    package var count: Int { waiting.count }

    /// Adds bytes; they leave with the next ``flush()``.
    package func append(_ bytes: Span<UInt8>) {
      bytes.withUnsafeBufferPointer { waiting.append(contentsOf: $0) }
    }

    /// Writes what can be written at once, and sees to the rest as soon as it can be.
    package func flush() {
      writeReady()
      guard !waiting.isEmpty, watch == nil else { return }
      watch = DescriptorWatch(descriptor, for: .writable) { [weak self] ready in self?.resume(ready) }
    }

    /// Writes what is left; waits at most `milliseconds` for each portion.
    package func drain(milliseconds: Int32) {
      while !waiting.isEmpty, isWritable(within: milliseconds), writePortion() {}
    }

    /// Hands out what waits, which is then no longer here.
    package func takeRest() -> [UInt8] {
      defer { end() }
      return Array(waiting)
    }

    /// Writes no more; what waits is dropped.
    package func end() {
      watch = nil
      waiting = []
    }
  }
}

extension EventLoop.DescriptorWriter {
  private func resume(_ ready: EventLoop.Readiness) {
    let before = count
    writeReady()
    if count < before { onProgress?() }
    if waiting.isEmpty {
      watch = nil
      onEmpty?()
    } else if !ready.isDisjoint(with: [.hangUp, .error]), !ready.contains(.writable) {
      fail(EPIPE)
    }
  }

  /// A reader that keeps up could make this go on for as long as there is something to write.
  private func writeReady() {
    let slice = EventLoop.Slice()
    while !waiting.isEmpty, isWritable(within: 0), writePortion(), !slice.isOver {}
  }

  private func isWritable(within milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = Glibc.poll(&poll, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count == 1 && poll.revents & Int16(POLLOUT) != 0 }
    }
  }

  /// Whether it makes sense to go on.
  private func writePortion() -> Bool {
    let count = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress, min($0.count, Self.portion)) }
    if count >= 0 {
      waiting.removeFirst(count)
      // An empty slice would keep the room for all that ever waited.
      if waiting.isEmpty { waiting = [] }
      return count > 0
    }
    if errno == EINTR { return true }
    if errno != EAGAIN { fail(errno) }
    return false
  }

  private func fail(_ code: Int32) {
    watch = nil
    onFailure?(code)
    waiting = []
  }
}
