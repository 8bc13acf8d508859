import Behavior
import EventLoop
import Glibc
import Peripheral

/// Reports when programs open and close a terminal, and which speed they set.
///
/// The kernel does not report a change of the speed, so this reads it four times a second while the terminal is open.
@EventLoop
final class TerminalUse {
  private static let interval = Duration.milliseconds(250)

  private let terminal: FileDescriptor
  private let report: (WireEvent) -> Void
  private var openings: OpeningWatch?
  private var timer: EventLoop.Timer?
  private var users = 0
  /// The last reported speed; nil if none was reported since the terminal was opened.
  private var speed: Int?

  /// - Parameters:
  ///   - path: the path of the terminal, not of a link to it.
  ///   - terminal: a descriptor of the terminal.
  init(_ path: String, _ terminal: FileDescriptor, _ report: @escaping (WireEvent) -> Void) {
    self.terminal = terminal
    self.report = report
    openings = OpeningWatch(path) { [weak self] in self?.changed(isOpening: $0) }
  }

  func end() {
    openings?.end()
    timer = nil
  }
}

extension TerminalUse {
  private func changed(isOpening: Bool) {
    // The kernel may report simultaneous openings as one.
    users = max(0, users + (isOpening ? 1 : -1))
    if isOpening, users == 1 { opened() }
    if !isOpening, users == 0 { closed() }
  }

  private func opened() {
    speed = nil
    report(.opened(by: nil))
    timer = EventLoop.Timer { [weak self] in self?.checkSpeed() }
    timer?.fire(after: Self.interval)
  }

  /// Also reports the speed of a program that closed the terminal before the first reading.
  private func closed() {
    if speed == nil { reportSpeed() }
    timer = nil
    report(.closed(by: nil))
  }

  private func checkSpeed() {
    reportSpeed()
    timer?.fire(after: Self.interval)
  }

  private func reportSpeed() {
    guard let now = TerminalSettings(of: terminal.rawValue)?.baudRate, now != speed else { return }
    speed = now
    report(.baudRate(now))
  }
}
