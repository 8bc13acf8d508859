import EventLoop
import Framing
import Glibc
import Peripheral

/// Turns traffic into lines, off the path of the bytes: events are kept as they are, and become text when
/// the loop has nothing else to do.
@EventLoop
package final class TrafficLog: TrafficSink {
  /// Events that may wait before they are formatted in any case.
  private static let limit = 1024

  private var events: [TrafficEvent] = []
  private var lines = LineBuffer()
  private let format: any TrafficFormat
  private let output: OutputQueue
  private let clock = WallClock()
  private var idle: EventLoop.IdleCallback?

  /// - Parameter descriptor: where the lines go; borrowed.
  package init(_ format: any TrafficFormat, to descriptor: Int32) {
    self.format = format
    output = OutputQueue(descriptor) { [clock] in format.text(for: format.dropped($0), at: clock.now) }
    idle = EventLoop.IdleCallback { [weak self] in self?.write() }
  }

  package func take(_ event: TrafficEvent) {
    events.append(event)
    if events.count >= Self.limit { write() } else { idle?.schedule() }
  }

  /// Writes all that is left; to be called before the program ends.
  package func finish() {
    write()
    output.drain()
  }

  private func write() {
    for event in events {
      lines.removeAll()
      format.write(event.kind, at: clock.time(of: event.time), to: &lines)
      output.append(lines.bytes)
    }
    events.removeAll(keepingCapacity: true)
    output.flush()
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
