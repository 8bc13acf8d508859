import Behavior
import DBus
import DeviceModel
import EventLoop

/// Delays the answers to write requests, so that the central waits.
@EventLoop
final class HeldResponses {
  /// The longest delay. After 5 s bluetoothd refuses the request itself (``RequestPatience``), although no error
  /// has happened. The margin is for a busy machine.
  private static let limit = Duration.seconds(3)

  private struct Held {
    var call: DeferredCall
    var attribute: AttributeReference
  }

  private var responses: [Held] = []
  private var timer: EventLoop.Timer?
  /// Called after each answer.
  private let onAnswer: @EventLoop (AttributeReference, _ cameAfter: Int64) -> Void

  init(onAnswer: @escaping @EventLoop (AttributeReference, Int64) -> Void) { self.onAnswer = onAnswer }

  var isHolding = false {
    didSet { if !isHolding { release() } }
  }

  /// Answers a call, now or when answers are no longer held.
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
