import DeviceModel

/// Finds the expressions that ask for values that BlueZ does not report.
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
    case .handle: "BlueZ assigns handles itself and does not report them: 'handle' is 0"
    case .longTermKey: "BlueZ does not tell devices the keys of bonds: 'ltk' is always empty"
    case .reason: "BlueZ does not report why a link ended: 'reason' is always 'unknown'"
    }
  }

  private func hint(for value: TransportValue) -> String {
    switch value {
    case .handle, .longTermKey: "--on exact knows it"
    case .reason: "--on exact knows it; a rule can ask whether reason == 'unknown'"
    }
  }
}
