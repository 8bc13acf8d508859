import EventLoop
import Glibc

/// The service manager that has started this program, such as systemd, and what the program tells it (sd_notify(3)).
///
/// The event loop itself feeds the manager's watchdog. So if the loop is blocked, the manager ends the program.
@EventLoop
package final class ServiceManager {
  package enum Message: Hashable, Sendable {
    /// It has started, or has reloaded.
    case ready
    case reloading
    case stopping
    /// What it does now, on one line.
    case status(String)
  }

  /// How long to wait for a manager that does not read.
  private static let patience = Duration.milliseconds(100)

  private let socket: DatagramSocket
  /// Half of the time within which the manager expects a sign of life; nil: it expects none.
  private let interval: Duration?
  /// Whether a time limit of the manager runs: that of a start, a reload or a stop.
  private var isBusy = true
  /// Messages that the manager has not taken.
  private var waiting: [String] = []
  private var heartbeat: EventLoop.Timer?
  private var retry: EventLoop.Timer?

  package init?(_ environment: ServiceEnvironment) {
    guard let socket = DatagramSocket(to: environment.socket) else { return nil }
    self.socket = socket
    interval = environment.watchdog.map { $0 / 2 }
    heartbeat = EventLoop.Timer { [weak self] in self?.beat() }
    retry = EventLoop.Timer { [weak self] in self?.flush() }
    beat()
  }

  package func tell(_ message: Message) {
    isBusy = isBusy(after: message)
    waiting.append(message.text)
    flush()
  }

  private func isBusy(after message: Message) -> Bool {
    switch message {
    case .ready: false
    case .reloading, .stopping: true
    case .status: isBusy
    }
  }

  /// Tells the manager that the loop turns, and has it wait on.
  private func beat() {
    guard let interval else { return }
    send(isBusy ? "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=\(4 * interval.microseconds)" : "WATCHDOG=1")
    heartbeat?.fire(after: interval)
  }

  private func flush() {
    while let message = waiting.first {
      guard send(message) != EAGAIN else {
        retry?.fire(after: Self.patience)
        return
      }
      waiting.removeFirst()
    }
  }

  @discardableResult
  private func send(_ text: String) -> Int32? { socket.send(text.utf8.span) }
}

extension ServiceManager.Message {
  fileprivate var text: String {
    switch self {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(EventLoop.now)"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }
}
