import Behavior
import EventLoop
import Framing
import Glibc
import Peripheral
import System

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
  /// The formats of several devices, and the device of each of ``events``; empty for a single device.
  private var formats: [any TrafficFormat] = []
  private var origins: [Int] = []
  private let output: any LogOutput
  private let clock = WallClock()
  private var idle: EventLoop.IdleCallback?

  /// - Parameter descriptor: the output; borrowed.
  package convenience init(_ format: any TrafficFormat, to descriptor: Int32) {
    let clock = WallClock()
    self.init(format, to: OutputQueue(descriptor) { format.text(for: format.dropped($0), at: clock.now) })
  }

  /// A log of several devices, in the order of their events.
  ///
  /// - Parameter plain: for lines about the log itself.
  package convenience init(
    ofSeveral formats: [any TrafficFormat], plain: any TrafficFormat, to descriptor: Int32
  ) {
    self.init(plain, to: descriptor)
    self.formats = formats
  }

  /// A log of devices in the journal of the system.
  package convenience init(ofSeveral formats: [JournalFormat], in journal: SystemJournal) {
    self.init(JournalFormat(), to: JournalOutput(journal))
    self.formats = formats
  }

  private init(_ format: any TrafficFormat, to output: any LogOutput) {
    (self.format, self.output) = (format, output)
    idle = EventLoop.IdleCallback { [weak self] in self?.writeSlice() }
  }

  /// The sink of a device, by its number.
  package func sink(of device: Int) -> any TrafficSink { formats.isEmpty ? self : DeviceSink(self, device) }

  package func take(_ event: TrafficEvent) {
    if event.kind.isFrame { return }  // the log shows values
    add(event)
  }

  /// - Parameter device: its number; nil: there is only one.
  fileprivate func add(_ event: TrafficEvent, of device: Int? = nil) {
    events.append(event)
    if let device { origins.append(device) }
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
    let format = origins.isEmpty ? format : formats[origins[next]]
    format.write(event.kind, at: clock.time(of: event.time), to: &lines)
    lines.withBytes { output.append($0) }
    next += 1
    // Only rarely, so that it costs little per event.
    if next == events.count || next >= Self.limit {
      events.removeFirst(next)
      if !origins.isEmpty { origins.removeFirst(next) }
      next = 0
    }
  }
}

extension TrafficEvent.Kind {
  fileprivate var isFrame: Bool {
    switch self {
    case .frame, .oneSided(_, .frame): true
    default: false
    }
  }
}

/// One of several devices with a common log.
private final class DeviceSink: TrafficSink {
  private let log: TrafficLog
  private let device: Int

  init(_ log: TrafficLog, _ device: Int) { (self.log, self.device) = (log, device) }

  func take(_ event: TrafficEvent) {
    if event.kind.isFrame { return }  // the log shows values
    log.add(event, of: device)
  }
}

/// Formats events as lines, each with its line feed.
package protocol TrafficFormat: Sendable {
  func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer)
}

extension TrafficFormat {
  /// The event that replaces lines that could not be written.
  func dropped(_ count: Int) -> TrafficEvent.Kind {
    .warning("blemu dropped \(count) lines here, because nothing read its output", attribute: nil, [])
  }

  package func text(for event: TrafficEvent.Kind, at time: WallTime) -> String {
    var lines = LineBuffer()
    write(event, at: time, to: &lines)
    return lines.text
  }
}
