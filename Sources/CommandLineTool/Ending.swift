import EventLoop
import Glibc

/// The wish to end, by Ctrl-C or `kill`: the first is obeyed in good order, a second at once.
@EventLoop
final class Ending {
  private var watches: [EventLoop.SignalWatch] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private(set) var isWished = false
  /// Is called at the first wish.
  var onWish: (() -> Void)?

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      watches.append(EventLoop.SignalWatch(number) { [weak self] in self?.wish() })
    }
  }

  private func wish() {
    if isWished { _exit(ExitStatus.interrupted.rawValue) }
    isWished = true
    onWish?()
    waiting?.resume()
    waiting = nil
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      // Asked here and not before: the loop may turn on the way in, and a signal come with it.
      if isWished { continuation.resume() } else { waiting = continuation }
    }
  }
}
