import EventLoop
import Glibc

/// Ctrl-C or `kill`: the first one ends the program in good order, a second one at once.
@EventLoop
final class StopRequest {
  private var watches: [EventLoop.SignalWatch] = []
  private let request = Promise<Void>()
  /// Called at the first one.
  var onRequest: (() -> Void)?

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      watches.append(EventLoop.SignalWatch(number) { [weak self] in self?.take() })
    }
  }

  var isMade: Bool { request.isFulfilled }

  private func take() {
    if isMade { _exit(ExitStatus.interrupted.rawValue) }
    request.fulfil()
    onRequest?()
  }

  func wait() async { await request.value() }
}
