import DeviceModel
import Framing

/// A frame that a rule has assembled.
struct AssembledFrame: Sendable {
  let bytes: [UInt8]
  /// Where it counts as arrived.
  let place: Endpoint
  fileprivate let rule: Int
  /// Who has caused it, and what ends the rule that takes it.
  fileprivate let owner: Activation.Owner

  init(bytes: [UInt8], place: Endpoint, by activation: borrowing Activation) {
    (self.bytes, self.place) = (bytes, place)
    (rule, owner) = (activation.rule, activation.owner)
  }
}

extension Engine {
  /// Tries the rules for a frame, which counts its steps with those of the rule that has put it together.
  mutating func take(_ frame: AssembledFrame) {
    guard turn.stepsLeft > 0, turn.workLeft > 0 else {
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
