import Behavior
import DBus
import EventLoop

/// Answers to write requests that are given later, so that the central waits.
@EventLoop
final class HeldResponses {
  /// No answer waits longer: after 5 s bluetoothd refuses the request itself (``RequestPatience``), and would tell a
  /// central of an error that has not happened. The rest is for a machine that is busy.
  private static let limit = Duration.seconds(3)

  private struct Held {
    var call: DeferredCall
    var attribute: AttributeReference
  }

  private var responses: [Held] = []
  private var timer: EventLoop.Timer?
  /// Is told of each answer after it has been given.
  private let onAnswer: @EventLoop (AttributeReference, _ cameAfter: Int64) -> Void

  init(onAnswer: @escaping @EventLoop (AttributeReference, Int64) -> Void) { self.onAnswer = onAnswer }

  var isHolding = false {
    didSet { if !isHolding { release() } }
  }

  /// Answers a call, now or when it is no longer held.
  func answer(_ call: DeferredCall, for attribute: AttributeReference) {
    responses.append(Held(call: call, attribute: attribute))
    guard isHolding else { return release() }
    if responses.count == 1 { timer = EventLoop.after(Self.limit) { [weak self] in self?.release() } }
  }

  private func release() {
    timer = nil
    let released = responses
    responses = []
    for held in released {
      guard let call = held.call.take() else { continue }
      let cameAfter = call.cameAfter
      call.reply()
      onAnswer(held.attribute, cameAfter)
    }
  }
}
