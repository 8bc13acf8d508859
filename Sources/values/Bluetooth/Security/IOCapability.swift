/// A device's display and keyboard for numbers; those of both devices decide how the two pair (Core Specification,
/// Vol 3 Part H 2.3.2). The raw value is that of the Pairing Request (3.5.1).
package enum IOCapability: UInt8, CaseIterable, Sendable {
  case displayOnly = 0x00
  case displayYesNo = 0x01
  case keyboardOnly = 0x02
  case noInputNoOutput = 0x03
  case keyboardDisplay = 0x04
}

extension IOCapability {
  /// The specification's name in kebab-case, as in a definition.
  package var name: String {
    switch self {
    case .displayOnly: "display-only"
    case .displayYesNo: "display-yes-no"
    case .keyboardOnly: "keyboard-only"
    case .noInputNoOutput: "no-input-no-output"
    case .keyboardDisplay: "keyboard-display"
    }
  }

  package init?(name: some StringProtocol) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  package var hasKeyboard: Bool { self == .keyboardOnly || self == .keyboardDisplay }

  package var hasDisplay: Bool { self != .keyboardOnly && self != .noInputNoOutput }
}
