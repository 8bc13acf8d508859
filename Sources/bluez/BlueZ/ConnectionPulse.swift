import EventLoop

/// Turns the loop once a second while centrals are connected, see ``RequestPatience/precision``.
@EventLoop
final class ConnectionPulse {
  private var timer: EventLoop.Timer?

  var isBeating: Bool {
    get { timer != nil }
    set {
      guard newValue != isBeating else { return }
      timer = newValue ? EventLoop.Timer { [weak self] in self?.beat() } : nil
      beat()
    }
  }

  private func beat() { timer?.fire(after: RequestPatience.precision) }
}
