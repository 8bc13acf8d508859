import EventLoop
import Glibc
import Testing

/// The reading end of a pipe, which reads only on request.
@EventLoop
final class PipeReader {
  private var descriptor: FileDescriptor?
  private var bytes: [UInt8] = []
  private var watch: EventLoop.DescriptorWatch?
  private var waiting: (end: [UInt8], continuation: CheckedContinuation<Bool, Never>)?

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  func startReading() {
    let number = descriptor!.rawValue
    watch = EventLoop.DescriptorWatch(number, for: .readable) { [weak self] _ in
      if let self, !take(Self.read(number)) { watch = nil }
    }
  }

  /// Reads on another thread until the text ends with `end`, while the test blocks the loop's thread.
  func startReadingElsewhere(until end: String) {
    let descriptor = descriptor!
    Task.detached {
      var bytes: [UInt8] = []
      while !bytes.ends(with: Array(end.utf8)) {
        let read = Self.read(descriptor.rawValue)
        if read.isEmpty { break }
        bytes += read
      }
      _ = await self.take(bytes)
    }
  }

  func close() { descriptor = nil }

  /// Waits until the text ends with `end`, and returns all of it.
  func text(until end: String, sourceLocation: SourceLocation = #_sourceLocation) async -> String {
    if !bytes.ends(with: Array(end.utf8)) {
      let limit = EventLoop.after(.seconds(60)) { [weak self] in self?.resume(false) }
      let isInTime = await withCheckedContinuation { waiting = (Array(end.utf8), $0) }
      limit.cancel()
      #expect(isInTime, "'\(end)' did not arrive within a minute", sourceLocation: sourceLocation)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  nonisolated private static func read(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return Array(buffer[..<max(0, count)])
  }

  /// Whether the pipe is still open.
  private func take(_ read: [UInt8]) -> Bool {
    bytes += read
    if let waiting, bytes.ends(with: waiting.end) { resume(true) }
    return !read.isEmpty
  }

  private func resume(_ isInTime: Bool) {
    waiting?.continuation.resume(returning: isInTime)
    waiting = nil
  }
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
