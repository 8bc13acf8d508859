import EventLoop

/// Where a log goes.
@EventLoop
protocol LogOutput: AnyObject {
  /// Adds the lines of an event.
  func append(_ lines: Span<UInt8>)
  /// Writes as much as possible at once, and the rest as soon as possible.
  func flush()
  /// Flushes if that is worth it.
  func flushPortion()
  /// Writes what remains before the program ends.
  func drain()
}

/// Writes lines to a file descriptor without waiting for its reader.
///
/// A terminal stopped with Ctrl-S or an unread pipe must not block the device. Lines wait here; beyond ``capacity``
/// bytes new ones are dropped, and a line reports their number.
@EventLoop
package final class OutputQueue: LogOutput {
  package static let capacity = 4 << 20

  private let writer: EventLoop.DescriptorWriter
  private var dropped = 0
  private let droppedLine: (Int) -> String

  /// - Parameters:
  ///   - descriptor: borrowed, not closed.
  ///   - droppedLine: makes the line that reports the number of dropped lines.
  package init(_ descriptor: Int32, droppedLine: @escaping (Int) -> String) {
    writer = EventLoop.DescriptorWriter(descriptor)
    self.droppedLine = droppedLine
    writer.onEmpty = { [weak self] in self?.reportDropped() }
  }

  /// Adds text that ends with a line feed.
  package func append(_ line: String) { append(line.utf8.span) }

  /// Adds lines, each with its line feed.
  package func append(_ lines: Span<UInt8>) {
    guard writer.count < Self.capacity else {
      dropped += 1
      return
    }
    reportDropped()
    writer.append(lines)
  }

  /// Writes as much as possible at once, and the rest as soon as possible.
  package func flush() { writer.flush() }

  /// Flushes if there is enough for a portion.
  func flushPortion() {
    if writer.count >= EventLoop.DescriptorWriter.portion { writer.flush() }
  }

  /// Writes the remaining lines before the program ends. Waits at most `milliseconds` for each portion.
  package func drain(milliseconds: Int32) {
    writer.drain(milliseconds: milliseconds)
    guard writer.count == 0 else { return }
    reportDropped()
    writer.drain(milliseconds: milliseconds)
  }

  package func drain() { drain(milliseconds: 1000) }

  private func reportDropped() {
    guard dropped > 0 else { return }
    let line = droppedLine(dropped)
    dropped = 0
    writer.append(line.utf8.span)
    writer.flush()
  }
}
