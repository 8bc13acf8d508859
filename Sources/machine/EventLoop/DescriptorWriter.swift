import Glibc

extension EventLoop {
  /// Writes bytes to a file descriptor in order, and never blocks on a slow reader.
  ///
  /// It also works with descriptors in blocking mode: standard output is in that mode and must stay so for the programs that
  /// share it. So it writes a portion only when the descriptor is writable, and at most as much as a writable pipe takes at
  /// once (`PIPE_BUF`, pipe(7)). To a non-blocking one, it writes everything at once, without checking first.
  @EventLoop
  package final class DescriptorWriter {
    package static let portion = Int(PIPE_BUF)

    private let descriptor: Int32
    private let isNonBlocking: Bool
    private var waiting: ArraySlice<UInt8> = []
    private var watch: DescriptorWatch?

    /// Called when waiting bytes have been written.
    package var onProgress: (() -> Void)?
    /// Called when the last waiting byte has been written.
    package var onEmpty: (() -> Void)?
    /// Called with `errno` when the waiting bytes can never be written. They are dropped unless ``takeRest()`` is
    /// called in it.
    package var onFailure: ((Int32) -> Void)?

    /// - Parameters:
    ///   - descriptor: Borrowed, not closed; it must stay open until ``end()``.
    ///   - isNonBlocking: whether it is in non-blocking mode, and stays so.
    package init(_ descriptor: Int32, isNonBlocking: Bool = false) {
      (self.descriptor, self.isNonBlocking) = (descriptor, isNonBlocking)
    }

    /// How many bytes have not been written.
    package var count: Int { waiting.count }

    /// Adds bytes; the next ``flush()`` writes them.
    package func append(_ bytes: Span<UInt8>) {
      bytes.withUnsafeBufferPointer { waiting.append(contentsOf: $0) }
    }

    /// Writes what the descriptor takes now, and the rest as soon as it can.
    package func flush() {
      writeReady()
      guard !waiting.isEmpty, watch == nil else { return }
      watch = DescriptorWatch(descriptor, for: .writable) { [weak self] ready in self?.resume(ready) }
    }

    /// Writes the rest, and waits at most `milliseconds` for each portion.
    package func drain(milliseconds: Int32) {
      while !waiting.isEmpty, isWritable(within: milliseconds), writePortion() {}
    }

    /// Removes the waiting bytes and returns them.
    package func takeRest() -> [UInt8] {
      defer { end() }
      return Array(waiting)
    }

    /// Stops writing and drops the waiting bytes.
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
    } else if ready.hasEnded, !ready.contains(.writable) {
      fail(EPIPE)
    }
  }

  /// Writes portions until the slice of time is over: a fast reader could otherwise keep the loop here.
  private func writeReady() {
    let slice = EventLoop.Slice()
    while !waiting.isEmpty, isWritable(within: 0), writePortion(), !slice.isOver {}
  }

  private func isWritable(within milliseconds: Int32) -> Bool {
    if isNonBlocking, milliseconds == 0 { return true }
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = Glibc.poll(&poll, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count == 1 && poll.revents & Int16(POLLOUT) != 0 }
    }
  }

  /// Writes one portion; returns whether another one may follow.
  private func writePortion() -> Bool {
    let count = waiting.withUnsafeBytes {
      write(descriptor, $0.baseAddress, isNonBlocking ? $0.count : min($0.count, Self.portion))
    }
    if count >= 0 {
      waiting.removeFirst(count)
      // An empty slice would keep its memory.
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
