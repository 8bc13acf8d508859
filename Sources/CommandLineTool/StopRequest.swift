import EventLoop
import Glibc

/// Handles Ctrl-C and `kill`: the first signal ends the program in an orderly way, the second one at once.
@EventLoop
final class StopRequest {
  private var watches: [EventLoop.SignalWatch] = []
  private let request = Promise<Void>()
  private var hasSignal = false
  /// Called at the first signal.
  var onRequest: (() -> Void)?

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      watches.append(EventLoop.SignalWatch(number) { [weak self] in self?.take() })
    }
  }

  var isMade: Bool { request.isFulfilled }

  private func take() {
    if hasSignal { _exit(ExitStatus.interrupted.rawValue) }
    hasSignal = true
    make()
  }

  /// Ends the program in an orderly way, as the first signal does.
  func make() {
    request.fulfil()
    onRequest?()
  }

  func wait() async { await request.value() }
}
