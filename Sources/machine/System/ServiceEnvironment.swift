import Glibc

/// What a service manager says in the environment of a program that it starts (sd_notify(3), sd_watchdog_enabled(3)).
package struct ServiceEnvironment: Hashable, Sendable {
  /// The path of the manager's socket.
  package var socket: String
  /// The time without a sign of life after which the manager ends the program; nil: there is no such time.
  package var watchdog: Duration?

  package init(socket: String, watchdog: Duration? = nil) {
    (self.socket, self.watchdog) = (socket, watchdog)
  }

  /// - Parameter process: this one's number. The watchdog may be that of another, which has started this one.
  package init?(process: Int32 = getpid(), _ variable: (String) -> String?) {
    guard let socket = variable(Self.socketName), !socket.isEmpty else { return nil }
    self.socket = socket
    let owner = variable(Self.processName)
    guard owner == nil || owner == "\(process)" else { return }
    guard let text = variable(Self.watchdogName), let microseconds = Int64(text), microseconds > 0 else {
      return
    }
    watchdog = .microseconds(microseconds)
  }

  private static let socketName = "NOTIFY_SOCKET"
  private static let watchdogName = "WATCHDOG_USEC"
  private static let processName = "WATCHDOG_PID"

  /// Takes it from this process's environment, so that no program that this one starts speaks in its place.
  ///
  /// - Returns: nil: no manager waits for messages.
  package static func take() -> ServiceEnvironment? {
    let environment = ServiceEnvironment { getenv($0).map { String(cString: $0) } }
    for name in [socketName, watchdogName, processName] { unsetenv(name) }
    return environment
  }
}
