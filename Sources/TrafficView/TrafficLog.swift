import EventLoop
import Framing
import Glibc
import Peripheral

/// Turns traffic into lines, off the path of the bytes: events are kept as they are, and become text when the loop
/// has nothing else to do, for as long as a slice of its time.
///
/// When more comes than there is time to format, the oldest few become text as new ones come. A device that
/// streams is then as slow as its log, and still no request waits for more than a few lines.
@EventLoop
package final class TrafficLog: TrafficSink {
  /// Events that may wait for a moment in which the loop has nothing else to do.
  private static let limit = 1024
  /// Events that are formatted at once when more than that wait.
  private static let batch = 4

  /// Those before ``next`` are formatted already.
  private var events: [TrafficEvent] = []
  private var next = 0
  private var lines = LineBuffer()
  private let format: any TrafficFormat
  private let output: OutputQueue
  private let clock = WallClock()
  private var idle: EventLoop.IdleCallback?

  /// - Parameter descriptor: where the lines go; borrowed.
  package init(_ format: any TrafficFormat, to descriptor: Int32) {
    self.format = format
    output = OutputQueue(descriptor) { [clock] in format.text(for: format.dropped($0), at: clock.now) }
    idle = EventLoop.IdleCallback { [weak self] in self?.writeSlice() }
  }

  package func take(_ event: TrafficEvent) {
    events.append(event)
    idle?.schedule()
    if waiting >= Self.limit + Self.batch { write(Self.batch) }
  }

  /// Writes all that is left; to be called before the program ends.
  package func finish() {
    write(waiting)
    output.drain()
  }

  private var waiting: Int { events.count - next }

  private func writeSlice() {
    let slice = EventLoop.Slice()
    while waiting > 0 {
      formatNext()
      if slice.isOver { break }
    }
    output.flush()
    if waiting > 0 { idle?.schedule() }
  }

  private func write(_ count: Int) {
    for _ in 0..<count { formatNext() }
    output.flushPortion()
  }

  private func formatNext() {
    let event = events[next]
    lines.removeAll()
    format.write(event.kind, at: clock.time(of: event.time), to: &lines)
    output.append(lines.bytes)
    next += 1
    // Rarely, so that it costs little for each.
    if next == events.count || next >= Self.limit {
      events.removeFirst(next)
      next = 0
    }
  }
}

/// How traffic looks: one event in, its lines out, each with its line feed.
package protocol TrafficFormat: Sendable {
  func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer)
}

extension TrafficFormat {
  /// What stands in place of lines that could not be written.
  func dropped(_ count: Int) -> TrafficEvent.Kind {
    .warning("\(count) lines were dropped here: nobody read them", attribute: nil, [])
  }

  package func text(for event: TrafficEvent.Kind, at time: WallTime) -> String {
    var lines = LineBuffer()
    write(event, at: time, to: &lines)
    return lines.text
  }
}
