package import Bluetooth

extension PairingPolicy {
  /// Why the device does not pair so; nil: it does.
  ///
  /// - Parameter isLegacy: whether this is known to be LE legacy pairing.
  package func objection(to question: PairingQuestion, isLegacy: Bool = false) -> PairingFailure? {
    guard isAllowed else { return .pairingNotSupported }
    switch question {
    case .show, .use, .compare: return nil
    case .pair: return secureConnections == .required && isLegacy ? .authenticationRequirements : nil
    case .passkey: return passkey == nil ? .passkeyEntryFailed : nil
    }
  }

  /// What the device answers, which is no where it has an objection.
  package func answer(to question: PairingQuestion, isLegacy: Bool = false) -> PairingAnswer {
    guard objection(to: question, isLegacy: isLegacy) == nil else { return .no }
    return question == .passkey ? passkey.map { .enter($0) } ?? .no : .yes
  }

  /// What an agent says that the device has.
  package var agentCapability: IOCapability { isAllowed ? capability : .noInputNoOutput }

  /// The warning that nobody can enter the passkey that a central shows.
  package static func noPasskey(for central: DeviceAddress) -> String {
    "\(central) shows a passkey, and nobody can enter it here; give it as 'passkey'"
  }
}
