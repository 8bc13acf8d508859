import EventLoop
import Glibc
import Peripheral

/// Who uses a terminal, and at which speed: what a real port would know.
///
/// Nothing tells when a speed is set, so it is looked at while the terminal is open, four times a second.
@EventLoop
final class TerminalUse {
  private static let interval = Duration.milliseconds(250)

  private let terminal: FileDescriptor
  private let report: (WireEvent) -> Void
  private var openings: OpeningWatch?
  private var timer: EventLoop.Timer?
  private var users = 0
  /// The speed that was reported since it was opened.
  private var speed: Int?

  /// - Parameters:
  ///   - path: the terminal's own, not a link to it.
  ///   - terminal: a descriptor of it.
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
    // Openings that come together may be told as one.
    users = max(0, users + (isOpening ? 1 : -1))
    if isOpening, users == 1 { opened() }
    if !isOpening, users == 0 { closed() }
  }

  private func opened() {
    speed = nil
    report(.opened(by: nil))
    timer = EventLoop.Timer { [weak self] in self?.look() }
    timer?.fire(after: Self.interval)
  }

  /// Whoever was quick is reported with the speed that is left; others may have put back what was before them.
  private func closed() {
    if speed == nil { reportSpeed() }
    timer = nil
    report(.closed(by: nil))
  }

  private func look() {
    reportSpeed()
    timer?.fire(after: Self.interval)
  }

  private func reportSpeed() {
    guard let now = TerminalSettings(of: terminal.rawValue)?.baudRate, now != speed else { return }
    speed = now
    report(.baudRate(now))
  }
}
