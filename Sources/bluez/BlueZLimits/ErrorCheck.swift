import Bluetooth
import DeviceModel

/// Finds the rules that cannot fire with BlueZ, the ATT errors that it replaces by others, and the responses that do not wait.
struct ErrorCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] {
    definition.rules.enumerated().flatMap { number, rule in
      if rule.triggers.contains(where: { if case .configured = $0 { true } else { false } }) {
        return [Self.neverFires(number)]
      }
      let named = rule.namesHandles
      let responses = lateResponse(of: rule, number).map { [$0] } ?? []
      return responses
        + rule.refusals.enumerated().compactMap { index, error in
          let place = DefinitionPlace.refusal(index, ofRule: number)
          return finding(for: error, of: rule, at: place)
            ?? (named[index]
              ? Finding(.warning, Self.choosesHandle, at: place, hint: "--on exact names it") : nil)
        }
    }
  }

  static let choosesHandle = "BlueZ itself chooses the handle that an error names"

  private static func neverFires(_ rule: Int) -> Finding {
    Finding(
      .warning, "the rule never fires: BlueZ itself answers every write to 2902", at: .event(ofRule: rule),
      hint: "wait for 'subscribe' and 'unsubscribe', or use --on exact")
  }

  private func finding(for error: ATTError, of rule: Rule, at place: DefinitionPlace) -> Finding? {
    if let answered = answered(of: rule) {
      return Finding(
        .warning, "the central never gets this error: \(answered.sentence)", at: place, hint: answered.hint)
    }
    let isRead = rule.triggers.contains { if case .read = $0 { true } else { false } }
    let sent = error.throughBlueZ(onRead: isRead)
    guard sent != error else { return nil }
    return Finding(
      .warning, "BlueZ cannot send \(error): the central gets \(sent)", at: place,
      hint: "BlueZ can send \(ATTError.sentByBlueZ)")
  }

  /// What BlueZ answers in place of a rule; nil: it asks the device.
  private func answered(of rule: Rule) -> (sentence: String, hint: String)? {
    if rule.triggers.contains(where: { if case .subscribed = $0 { true } else { false } }) {
      return ("BlueZ itself answers every subscription", "--on exact asks the rule")
    }
    return characteristicWithoutAnswers(of: rule).map {
      (
        "BlueZ itself answers every write to '\($0)'",
        "it has both write and write-without-response: remove one of them, or use --on exact"
      )
    }
  }

  /// A response that does not go where the rule places it.
  private func lateResponse(of rule: Rule, _ number: Int) -> Finding? {
    guard rule.placesResponse else { return nil }
    let place = DefinitionPlace.event(ofRule: number)
    if let answered = answered(of: rule) {
      return Finding(
        .warning, "the response goes first: \(answered.sentence)", at: place, hint: answered.hint)
    }
    guard rule.waitBeforeResponse > 4500 else { return nil }
    return Finding(
      .warning, "BlueZ waits 5 s for a response, then sends the central Unlikely Error (0x0E)", at: place,
      hint: "wait less, or use --on exact")
  }

  /// The id of a characteristic in the rule's triggers whose writes BlueZ answers before it reports them.
  private func characteristicWithoutAnswers(of rule: Rule) -> String? {
    for trigger in rule.triggers {
      switch trigger {
      case .written(.characteristic(let index)), .received(_, .characteristic(let index)):
        let characteristic = definition.characteristics[index]
        if characteristic.isAnsweredByBlueZ { return characteristic.id }
      default: break
      }
    }
    return nil
  }
}
