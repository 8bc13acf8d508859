import Bluetooth

/// How a device pairs, which may come from settings.
package struct PairingTemplate: Sendable {
  /// While this is false, pairing follows the system's configuration; nil: always true.
  package var condition: Expression?
  /// True or false.
  package var isAllowed = Expression.constant(.boolean(true))
  /// The name of an ``IOCapability``.
  package var capability = Expression.constant(.text(IOCapability.noInputNoOutput.name))
  /// Six digits; nil: none.
  package var passkey: ValueTemplate?
  /// The name of a ``PairingPolicy/SecureConnections-swift.enum``.
  package var secureConnections = Expression.constant(
    .text(PairingPolicy.SecureConnections.allowed.rawValue))
  /// The name of a ``Requirement``.
  package var requirement = Expression.constant(.text(Requirement.encrypted.rawValue))
  /// True or false.
  package var bonds = Expression.constant(.boolean(true))
  /// A number; nil: any number of bonds.
  package var mostBonds: Expression?
  /// The name of a ``FullUse``.
  package var whenFull = Expression.constant(.text(FullUse.refuse.rawValue))
  /// True or false.
  package var requestsSecurity = Expression.constant(.boolean(false))
  /// Numbers of bytes.
  package var minimumKeySize = Expression.constant(.integer(7))
  package var maximumKeySize = Expression.constant(.integer(16))

  package init() {}

  /// What a device asks of a pairing.
  package enum Requirement: String, CaseIterable, Sendable {
    /// Nothing: a pairing by Just Works will do.
    case encrypted
    case authenticated
  }

  /// What a device does that has no room for another bond.
  package enum FullUse: String, CaseIterable, Sendable {
    /// It does not pair with a further central.
    case refuse
    /// It forgets the oldest bond.
    case oldest
  }

  package static let possibleBonds = 1...255
  /// In bytes (Core Specification, Vol 3 Part H 2.3.4).
  package static let possibleKeySizes = 7...16

  /// All expressions that determine it.
  package var expressions: [Expression] {
    [
      isAllowed, capability, secureConnections, requirement, bonds, whenFull, requestsSecurity,
      minimumKeySize, maximumKeySize,
    ]
      + [condition, mostBonds].compactMap { $0 } + (passkey?.expressions ?? [])
  }

  /// How the device pairs with some settings; nil: as the system is configured.
  ///
  /// - Throws: ``EvaluationError``, ``EncodingError`` or ``PairingValueError``.
  package func policy(in context: EvaluationContext) throws -> PairingPolicy? {
    if let condition, try !condition.isTrue(in: context) { return nil }
    var policy = PairingPolicy()
    policy.isAllowed = try isAllowed.isTrue(in: context)
    policy.capability = try capability.word(in: context) {
      IOCapability(name: $0)
    } orThrow: {
      .capability($0)
    }
    policy.secureConnections = try secureConnections.word(in: context) {
      PairingPolicy.SecureConnections(rawValue: $0)
    } orThrow: {
      .secureConnections($0)
    }
    policy.passkey = try passkey.map { template in
      let text = String(decoding: try template.render(in: context), as: UTF8.self)
      guard let passkey = Passkey.read(text) else { throw PairingValueError.passkey(text) }
      return passkey
    }
    let requirement = try requirement.word(in: context) {
      Requirement(rawValue: $0)
    } orThrow: {
      .requirement($0)
    }
    policy.requiresAuthentication = requirement == .authenticated
    policy.bonds = try bonds.isTrue(in: context)
    policy.mostBonds = try mostBonds?.number(in: context, Self.possibleBonds) { .bonds($0) }
    let fullUse = try whenFull.word(in: context) {
      FullUse(rawValue: $0)
    } orThrow: {
      .whenFull($0)
    }
    policy.replacesOldestBond = fullUse == .oldest
    policy.requestsSecurity = try requestsSecurity.isTrue(in: context)
    policy.minimumKeySize = try minimumKeySize.number(in: context, Self.possibleKeySizes) { .keySize($0) }
    policy.maximumKeySize = try maximumKeySize.number(in: context, Self.possibleKeySizes) { .keySize($0) }
    guard policy.minimumKeySize <= policy.maximumKeySize else {
      throw PairingValueError.keySizes(policy.minimumKeySize, policy.maximumKeySize)
    }
    return policy
  }
}

/// A value in the security section that is not allowed.
package enum PairingValueError: Error, Hashable {
  case capability(String)
  case secureConnections(String)
  case requirement(String)
  case passkey(String)
  case bonds(Int64)
  case whenFull(String)
  case keySize(Int64)
  case keySizes(Int, Int)
}

extension PairingValueError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .capability(let text): "'\(text)' is not an IO capability"
    case .secureConnections(let text): "'\(text)' is not a choice for LE Secure Connections"
    case .requirement(let text): "'\(text)' is nothing that a device requires of a pairing"
    case .passkey(let text): "'\(text)' is not a passkey, which has six digits"
    case .bonds(let number):
      "\(number) is not a number of bonds, from \(PairingTemplate.possibleBonds.lowerBound) to \(PairingTemplate.possibleBonds.upperBound)"
    case .keySize(let number): "\(number) is not the size of a key, which has 7 to 16 bytes"
    case .keySizes(let least, let most):
      "the shortest key that the device accepts has \(least) bytes, but its longest one has \(most)"
    case .whenFull(let text): "'\(text)' is nothing that a device does without room for another bond"
    }
  }
}

extension Expression {
  /// The meaning of a word.
  fileprivate func word<Meaning>(
    in context: EvaluationContext, _ meaning: (String) -> Meaning?,
    orThrow error: (String) -> PairingValueError
  ) throws -> Meaning {
    guard case .text(let text) = try evaluate(in: context) else {
      preconditionFailure("a text was checked to stand here")
    }
    guard let found = meaning(text) else { throw error(text) }
    return found
  }
}

extension Expression {
  fileprivate func number(
    in context: EvaluationContext, _ range: ClosedRange<Int>, orThrow error: (Int64) -> PairingValueError
  ) throws -> Int {
    guard case .integer(let number) = try evaluate(in: context) else {
      preconditionFailure("a number was checked to stand here")
    }
    guard let possible = Int(exactly: number), range.contains(possible) else { throw error(number) }
    return possible
  }
}

extension PeripheralDefinition {
  /// How it pairs with some settings; nil: as the system is configured.
  ///
  /// - Throws: as ``PairingTemplate/policy(in:)``.
  package func pairing(in context: EvaluationContext) throws -> PairingPolicy? {
    try security?.policy(in: context)
  }

  /// The initial values that determine its security, and the other values if they are few.
  package var pairingCases: [ValueCase] {
    [ValueCase(context: initialContext)] + cases(of: security?.expressions ?? [])
  }

  /// All the ways in which it may pair.
  package var possiblePairings: [PairingPolicy] {
    pairingCases.compactMap { try? pairing(in: $0.context) }
  }
}
