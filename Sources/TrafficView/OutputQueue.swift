import EventLoop

/// Lines on their way to a file descriptor, without ever waiting for whoever reads it.
///
/// A terminal that is stopped with Ctrl-S or a pipe that nobody reads must not hold up the device: lines
/// wait here, and past ``capacity`` bytes new ones are dropped, counted, and the count is said.
@EventLoop
package final class OutputQueue {
  package static let capacity = 4 << 20

  private let writer: EventLoop.DescriptorWriter
  private var dropped = 0
  private let droppedLine: (Int) -> String

  /// - Parameters:
  ///   - descriptor: borrowed, not closed.
  ///   - droppedLine: the line that says how many were dropped.
  package init(_ descriptor: Int32, droppedLine: @escaping (Int) -> String) {
    writer = EventLoop.DescriptorWriter(descriptor)
    self.droppedLine = droppedLine
    writer.onEmpty = { [weak self] in self?.sayWhatWasDropped() }
  }

  /// Adds text that ends with a line feed.
  package func append(_ line: String) { append(Array(line.utf8)[...]) }

  /// Adds lines, each with its line feed.
  package func append(_ lines: ArraySlice<UInt8>) {
    guard writer.count < Self.capacity else {
      dropped += 1
      return
    }
    sayWhatWasDropped()
    writer.append(lines.span)
  }

  /// Writes what can be written at once, and sees to the rest as soon as it can be.
  package func flush() { writer.flush() }

  /// Does so when there is enough for a portion.
  func flushPortion() {
    if writer.count >= EventLoop.DescriptorWriter.portion { writer.flush() }
  }

  /// Writes what is left before the program ends; waits at most `milliseconds` for each portion.
  package func drain(milliseconds: Int32 = 1000) {
    writer.drain(milliseconds: milliseconds)
    guard writer.count == 0 else { return }
    sayWhatWasDropped()
    writer.drain(milliseconds: milliseconds)
  }

  private func sayWhatWasDropped() {
    guard dropped > 0 else { return }
    let line = droppedLine(dropped)
    dropped = 0
    writer.append(line.utf8.span)
    writer.flush()
  }
}
