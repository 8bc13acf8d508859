import DeviceModel

/// Finds the values of expressions that BlueZ does not tell.
struct ValueCheck {
  let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] {
    definition.transportValues.enumerated().map { number, value in
      Finding(.warning, message(of: value), at: .transportValue(number), hint: hint(for: value))
    }
  }

  private func message(of value: TransportValue) -> String {
    switch value {
    case .handle: "BlueZ assigns handles itself and does not tell them: 'handle' gives 0 here"
    case .reason: "BlueZ does not tell why a link has ended: 'reason' is always 'unknown' here"
    }
  }

  private func hint(for value: TransportValue) -> String {
    switch value {
    case .handle: "--on exact knows it"
    case .reason: "--on exact knows it; a rule can ask whether reason == 'unknown'"
    }
  }
}
