import Bluetooth
import DeviceModel

/// Reads how a device pairs.
struct SecurityDecoder {
  /// The device, with its settings.
  let device: PeripheralDefinition
  let names: NameScope
  let log: DiagnosticLog

  private var reader: TextReader { TextReader(names, log) }

  /// nil if the definition has no such section.
  func template(_ node: Node<Language.Security>?) -> PairingTemplate? {
    guard let node else { return nil }
    var template = PairingTemplate()
    template.condition = expression(node.condition)
    if let pairing = expression(node.pairing) { template.isAllowed = pairing }
    let capability = word(node.capability, of: IOCapability.allCases.map(\.name))
    if let capability { template.capability = capability }
    template.passkey = node.passkey.flatMap(passkey)
    if let word = word(
      node.secureConnections, of: PairingPolicy.SecureConnections.allCases.map(\.rawValue))
    {
      template.secureConnections = word
    }
    if let word = word(node.requirement, of: PairingTemplate.Requirement.allCases.map(\.rawValue)) {
      template.requirement = word
    }
    if let bonding = expression(node.bonding) { template.bonds = bonding }
    template.mostBonds = expression(node.bonds, as: .integer)
    if let word = word(node.whenFull, of: PairingTemplate.FullUse.allCases.map(\.rawValue)) {
      template.whenFull = word
    }
    if node.bonds == nil, let whenFull = node.whenFull { log.error(.noLimitOfBonds, at: whenFull.range) }
    if let least = expression(node.keySize?.word ?? node.keySize?.min, as: .integer) {
      template.minimumKeySize = least
    }
    if let most = expression(node.keySize?.max, as: .integer) { template.maximumKeySize = most }
    if let request = expression(node.request) { template.requestsSecurity = request }
    let policies = check(template, node)
    if capability != nil || node.capability == nil { checkUse(of: template, in: policies, node) }
    return template
  }

  private func expression(_ scalar: Scalar?, as type: ValueType = .boolean) -> Expression? {
    guard let scalar, !isUnknownWord(scalar, known: ["true", "false"]),
      let expression = reader.expression(scalar, as: type)
    else { return nil }
    return comesFromSettings([expression], at: scalar) ? expression : nil
  }

  /// One of these words, or an expression for one.
  private func word(_ scalar: Scalar?, of words: [String]) -> Expression? {
    guard let scalar else { return nil }
    if words.contains(scalar.text) { return .constant(.text(scalar.text)) }
    guard !isUnknownWord(scalar, known: words), let expression = reader.expression(scalar, as: .text) else {
      return nil
    }
    return comesFromSettings([expression], at: scalar) ? expression : nil
  }

  /// Reports a single word that is neither one of these words nor a name.
  private func isUnknownWord(_ scalar: Scalar, known: [String]) -> Bool {
    let text = scalar.text
    let isWord =
      text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    guard isWord, !known.contains(text), names.values[text] == nil, !names.isBroken(text) else {
      return false
    }
    log.error(.unknownWord(text, known: known), at: scalar.range)
    return true
  }

  private func passkey(_ scalar: Scalar) -> ValueTemplate? {
    guard let passkey = reader.text(scalar), comesFromSettings(passkey.expressions, at: scalar) else {
      return nil
    }
    return passkey
  }

  private func comesFromSettings(_ expressions: [Expression], at scalar: Scalar) -> Bool {
    if expressions.allSatisfy(\.comesFromSettings) { return true }
    log.error(.pairingNotFromSettings, at: scalar.range)
    return false
  }
}

// MARK: Values

extension SecurityDecoder {
  /// Checks the policy, first with the initial settings and then with other values that affect it. It stops at the
  /// first case with a mistake.
  ///
  /// - Returns: the policies up to that.
  private func check(_ template: PairingTemplate, _ node: Node<Language.Security>) -> [PairingPolicy] {
    var device = device
    device.security = template
    var policies: [PairingPolicy] = []
    for other in device.pairingCases {
      do {
        guard let policy = try template.policy(in: other.context) else { continue }
        policies.append(policy)
        if !policy.isAllowed, policy.requestsSecurity {
          let mistake = Mistake.requestsWhatItRefuses(circumstance: other.circumstance)
          log.error(mistake, at: node.place(of: "request"))
          return policies
        }
        if policy.requiresAuthentication, policy.capability == .noInputNoOutput {
          log.error(.cannotAuthenticate(circumstance: other.circumstance), at: node.place(of: "require"))
          return policies
        }
      } catch {
        report(error, other.circumstance, node)
        return policies
      }
    }
    return policies
  }

  private func checkUse(
    of template: PairingTemplate, in policies: [PairingPolicy], _ node: Node<Language.Security>
  ) {
    guard template.passkey != nil, let passkey = node.passkey, let first = policies.first,
      !policies.contains(where: { $0.capability.hasKeyboard || $0.capability.hasDisplay })
    else { return }
    log.error(.uselessPasskey(first.capability), at: passkey.range)
  }

  private func report(_ error: any Error, _ circumstance: String, _ node: Node<Language.Security>) {
    let place =
      switch error as? PairingValueError {
      case .capability: node.place(of: "io-capability")
      case .secureConnections: node.place(of: "secure-connections")
      case .requirement: node.place(of: "require")
      case .passkey: node.passkey?.range
      case .bonds: node.place(of: "bonds")
      case .keySize, .keySizes: node.place(of: "key-size")
      case .whenFull: node.place(of: "when-full")
      case nil: nil as SourceRange?
      }
    log.error(.badPairing(error, circumstance: circumstance), at: place ?? node.place)
  }
}
