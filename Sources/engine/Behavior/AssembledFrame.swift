import DeviceModel
import Framing

/// A frame that a rule has assembled.
struct AssembledFrame: Sendable {
  let bytes: [UInt8]
  /// The place at which it arrives.
  let place: Endpoint
  fileprivate let rule: Int
  /// The cause of the frame, whose end also ends the rule that takes the frame.
  fileprivate let owner: Activation.Owner

  init(bytes: [UInt8], place: Endpoint, by activation: borrowing Activation) {
    (self.bytes, self.place) = (bytes, place)
    (rule, owner) = (activation.rule, activation.owner)
  }
}

extension Engine {
  /// Tries the rules for a frame. Their steps count with those of the rule that has assembled it.
  mutating func take(_ frame: AssembledFrame) {
    guard turn.hasStepsLeft else {
      endLoop()
      return fail(frame.rule, RuleFailure.tooManySteps)
    }
    let rule = definition.rules[frame.rule]
    remark(.assembled(frame.place, frame.bytes, line: rule.line, file: rule.file))
    let central: Central?? = if case .central(let central) = frame.owner { central } else { nil }
    let key = StreamKey(central: central ?? nil, endpoint: frame.place)
    offer(frame.bytes, from: key, ownedByCentral: central != nil)
  }
}
