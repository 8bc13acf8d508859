import DeviceModel
import Framing

/// Why a rule stopped early.
enum RuleFailure: Error, CustomStringConvertible {
  case tooManySteps
  case tooMuchOutput
  case tooManyWaiting
  case limit(name: String, problem: String)
  case duration(Int64)
  case answered
  /// The transport does not ask the device, which therefore cannot refuse.
  case notAsked
  case tooLong(Int)
  case secondReset
  /// No bytes have caused what goes out of a layer, so there is no place for an answer.
  case noOrigin
  case tooManyInLayer(String)
  case noSetting(String)
  case tooLongFrame(Int)
  /// A timer is one of each central, and the event has none.
  case noCentral(timer: String)

  var description: String {
    switch self {
    case .tooManySteps:
      "more than \(Turn.mostSteps) steps without time passing; add a 'wait', or a condition that ends it"
    case .tooMuchOutput: "more than \(Turn.mostOutput) bytes without time passing; add a 'wait'"
    case .tooManyWaiting: "more than \(WaitingRules.most) rules are waiting"
    case .limit(let name, let problem): "'\(name)': \(problem)"
    case .duration(let milliseconds): "\(Duration.milliseconds(milliseconds).written) is not a valid duration"
    case .answered: "the central already has its answer"
    case .notAsked: "the central has subscribed already: this Bluetooth stack does not ask the device"
    case .tooLong(let count):
      "\(count) bytes; an attribute holds at most \(CharacteristicDefinition.maximumValueSize)"
    case .noSetting(let name): "no setting '\(name)'"
    case .tooLongFrame(let count): "\(count) bytes; a frame has at most \(MessageTemplate.maximumSize)"
    case .noCentral(let timer): "no central has caused this, and each has a timer '\(timer)' of its own"
    case .noOrigin: "no bytes of a central or of the wire side have caused this, so 'origin' is no place"
    case .tooManyInLayer(let name): "more than \(LayerMessages.most) messages wait at '\(name)'"
    case .secondReset: "a second reset without time passing; add a 'wait', or a condition that ends it"
    }
  }
}
