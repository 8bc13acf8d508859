import EventLoop

/// Where expectations begin that do not say it: after what the last one that was met has taken, or with the last thing that
/// was done to the device, whichever is later. So nothing that came before an act can pass for its effect.
///
/// Each connection has a place of its own. The commands of a shell, which are connections of their own, share one.
@EventLoop
final class ExpectationPlace {
  /// The number of the event after which they begin.
  private(set) var after = 0

  /// - Parameter number: of an event. The place never moves back.
  func move(to number: Int) { after = max(after, number) }
}
