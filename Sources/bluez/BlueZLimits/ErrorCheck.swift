import Bluetooth
import DeviceModel

/// Finds the rules that cannot fire with BlueZ, and the ATT errors that it replaces by others.
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
      return rule.refusals.enumerated().compactMap { index, error in
        let place = DefinitionPlace.refusal(index, ofRule: number)
        return finding(for: error, of: rule, at: place)
          ?? (named[index] ? Finding(.warning, Self.choosesHandle, at: place, hint: "--on exact names it") : nil)
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
    if rule.triggers.contains(where: { if case .subscribed = $0 { true } else { false } }) {
      return Finding(
        .warning, "the central never gets this error: BlueZ itself answers every subscription", at: place,
        hint: "--on exact sends it")
    }
    if let id = characteristicWithoutAnswers(of: rule) {
      return Finding(
        .warning, "the central never gets this error: BlueZ itself answers every write to '\(id)'", at: place,
        hint: "it has both write and write-without-response: remove one of them")
    }
    let isRead = rule.triggers.contains { if case .read = $0 { true } else { false } }
    let sent = error.throughBlueZ(onRead: isRead)
    guard sent != error else { return nil }
    return Finding(
      .warning, "BlueZ cannot send \(error): the central gets \(sent)", at: place,
      hint: "BlueZ can send \(ATTError.sentByBlueZ)")
  }

  /// The id of a characteristic in the rule's triggers whose writes BlueZ answers before it reports them.
  private func characteristicWithoutAnswers(of rule: Rule) -> String? {
    for case .written(.characteristic(let index)) in rule.triggers {
      let characteristic = definition.characteristics[index]
      if characteristic.isAnsweredByBlueZ { return characteristic.id }
    }
    return nil
  }
}
