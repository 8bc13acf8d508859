import EventLoop
import Framing
import Glibc
import Peripheral

/// Formats traffic off the path of the bytes: it keeps events and turns them into text when the loop is idle, for one
/// slice of its time.
///
/// If events arrive faster than that, each new one formats the oldest few. A streaming device then slows down to the
/// speed of its log, but no request waits for more than a few lines.
@EventLoop
package final class TrafficLog: TrafficSink {
  /// The most events that wait for the loop to be idle.
  private static let limit = 1024
  /// How many events a new one formats if more than ``limit`` wait.
  private static let batch = 4

  /// The events before ``next`` are already formatted.
  private var events: [TrafficEvent] = []
  private var next = 0
  private var lines = LineBuffer()
  private let format: any TrafficFormat
  private let output: OutputQueue
  private let clock = WallClock()
  private var idle: EventLoop.IdleCallback?

  /// - Parameter descriptor: the output; borrowed.
  package init(_ format: any TrafficFormat, to descriptor: Int32) {
    self.format = format
    output = OutputQueue(descriptor) { [clock] in format.text(for: format.dropped($0), at: clock.now) }
    idle = EventLoop.IdleCallback { [weak self] in self?.writeSlice() }
  }

  package func take(_ event: TrafficEvent) {
    if case .frame = event.kind { return }  // the log shows values
    events.append(event)
    idle?.schedule()
    if waiting >= Self.limit + Self.batch { write(Self.batch) }
  }

  /// Writes all remaining lines. Call it before the program ends.
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
    lines.withBytes { output.append($0) }
    next += 1
    // Only rarely, so that it costs little per event.
    if next == events.count || next >= Self.limit {
      events.removeFirst(next)
      next = 0
    }
  }
}

/// Formats events as lines, each with its line feed.
package protocol TrafficFormat: Sendable {
  func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer)
}

extension TrafficFormat {
  /// The event that replaces lines that could not be written.
  func dropped(_ count: Int) -> TrafficEvent.Kind {
    .warning("\(count) lines were dropped here because the output was not read", attribute: nil, [])
  }

  package func text(for event: TrafficEvent.Kind, at time: WallTime) -> String {
    var lines = LineBuffer()
    write(event, at: time, to: &lines)
    return lines.text
  }
}
