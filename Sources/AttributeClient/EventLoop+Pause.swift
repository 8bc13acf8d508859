import EventLoop

extension EventLoop {
  /// Waits without holding up the loop.
  @EventLoop
  static func pause(_ duration: Duration) async {
    let arrival = Arrival<Void>()
    let timer = after(duration) { arrival.arrive(()) }
    await arrival.wait()
    timer.cancel()
  }
}
