import Bluetooth

extension PairingPolicy {
  /// What the device answers.
  ///
  /// - Throws: why it does not pair so.
  package func answer(to question: PairingQuestion) throws(PairingFailure) -> PairingAnswer {
    guard isAllowed else { throw .pairingNotSupported }
    switch question {
    case .pair where requiresAuthentication: throw .authenticationRequirements
    case .show, .use, .compare, .pair: return .yes
    case .passkey:
      guard let passkey else { throw .passkeyEntryFailed }
      return .enter(passkey)
    }
  }

  /// The capability that an agent registers for the device.
  package var agentCapability: IOCapability { isAllowed ? capability : .noInputNoOutput }
}
