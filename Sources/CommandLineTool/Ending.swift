import EventLoop
import Glibc

/// The wish to end, by Ctrl-C or `kill`: the first is obeyed in good order, a second at once.
@EventLoop
final class Ending {
  private var watches: [EventLoop.SignalWatch] = []
  private let wish = Promise<Void>()
  /// Is called at the first wish.
  var onWish: (() -> Void)?

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      watches.append(EventLoop.SignalWatch(number) { [weak self] in self?.take() })
    }
  }

  var isWished: Bool { wish.isFulfilled }

  private func take() {
    if isWished { _exit(ExitStatus.interrupted.rawValue) }
    wish.fulfil()
    onWish?()
  }

  func wait() async { await wish.value() }
}
