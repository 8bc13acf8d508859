extension EventLoop {
  /// Waits without blocking the loop.
  @EventLoop
  package static func pause(_ duration: Duration) async {
    var timer: Timer?
    await withCheckedContinuation { continuation in
      timer = after(duration) { continuation.resume() }
    }
    timer?.cancel()
  }
}
