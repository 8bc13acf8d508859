import EventLoop

/// The link to a central that is connected.
@EventLoop
final class CentralLink {
  /// nil: the kernel does not report it.
  let heard: HeardLink?
  /// In microseconds of ``EventLoop/now``.
  let began = EventLoop.now
  /// Whether bluetoothd has asked the device's agent about the central.
  var hasAsked = false
  /// Whether the device has ended it.
  var isEndedByDevice = false
  /// Fires when a bonded central has had the time to encrypt the link.
  var encryption: EventLoop.Timer?
  /// How many of its problems have been reported.
  private var told = 0

  init(_ heard: HeardLink?) { self.heard = heard }

  /// The problems that have not been reported yet.
  func takeProblems() -> ArraySlice<HeardLink.Problem> {
    let problems = heard?.problems.dropFirst(told) ?? []
    told += problems.count
    return problems
  }
}
