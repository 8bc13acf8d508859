import Bluetooth

/// How two devices pair: what follows from their Pairing Request and Pairing Response (Core Specification, Vol 3 Part H 2.3).
struct PairingAgreement: Hashable, Sendable {
  let role: SecuredLink.Role
  let addresses: PairingAddresses
  let policy: PairingPolicy
  let outOfBand: OutOfBandData
  let request: PairingFeatures
  let response: PairingFeatures
  let model: AssociationModel
  /// The size of the keys, 7 to 16 bytes.
  let keySize: Int
}

extension PairingAgreement {
  /// - Throws: why the devices do not pair.
  init(
    _ link: SecuredLink, _ policy: PairingPolicy, _ outOfBand: OutOfBandData, request: PairingFeatures,
    response: PairingFeatures
  ) throws(PairingFailure) {
    (role, addresses) = (link.role, link.addresses)
    (self.policy, self.outOfBand) = (policy, outOfBand)
    (self.request, self.response) = (request, response)
    model = AssociationModel(request, response)
    keySize = Int(min(request.maximumKeySize, response.maximumKeySize))
    guard keySize >= max(policy.minimumKeySize, 7) else { throw .encryptionKeySize }
    if policy.secureConnections == .required, !isSecure { throw .authenticationRequirements }
    if policy.requiresAuthentication, !isAuthenticated { throw .authenticationRequirements }
    guard model != .outOfBand || hasOutOfBandData else { throw .oobNotAvailable }
  }

  /// Whether this device has what the OOB data flags promise.
  private var hasOutOfBandData: Bool {
    guard isSecure else { return outOfBand.temporaryKey != nil }
    return (outOfBand.peer != nil || !ownFeatures.hasOutOfBandData)
      && (outOfBand.own != nil || !peerFeatures.hasOutOfBandData)
  }

  /// Whether they pair by LE Secure Connections.
  var isSecure: Bool { both(.secureConnections) }

  /// Whether they keep the keys.
  var bonds: Bool { both(.bonding) }

  /// Whether nobody can have come between them.
  var isAuthenticated: Bool { model != .justWorks }

  var strength: KeyStrength {
    KeyStrength(isAuthenticated: isAuthenticated, isSecure: isSecure, keySize: keySize)
  }

  var isCentral: Bool { role == .central }
  var ownFeatures: PairingFeatures { isCentral ? request : response }
  var peerFeatures: PairingFeatures { isCentral ? response : request }
  var ownAddress: LinkAddress { isCentral ? addresses.central : addresses.peripheral }
  var peerAddress: LinkAddress { isCentral ? addresses.peripheral : addresses.central }

  /// The keys that this device distributes, and those that the peer does.
  var ownKeys: KeyKinds { kinds(isCentral ? response.centralKeys : response.peripheralKeys) }
  var peerKeys: KeyKinds { kinds(isCentral ? response.peripheralKeys : response.centralKeys) }

  private func kinds(_ kinds: KeyKinds) -> KeyKinds { isSecure ? kinds.subtracting(.encryption) : kinds }

  private func both(_ requirement: AuthenticationRequirements) -> Bool {
    request.requirements.contains(requirement) && response.requirements.contains(requirement)
  }

  /// A key of this pairing, of which only the agreed size counts (2.3.4).
  func key(_ value: [UInt8], kind: UInt8, isOfCentral: Bool = false, ediv: UInt16 = 0, rand: [UInt8]? = nil)
    -> LongTermKey
  {
    LongTermKey(
      kind: kind, isOfCentral: isOfCentral, size: keySize, ediv: ediv, rand: rand ?? SecurityToolbox.zeros(8),
      value: value.prefix(keySize) + SecurityToolbox.zeros(16 - keySize))
  }
}

extension AssociationModel {
  /// Chooses the model (2.3.5.1, Tables 2.6 to 2.8).
  init(_ request: PairingFeatures, _ response: PairingFeatures) {
    let requirements = [request.requirements, response.requirements]
    let isSecure = requirements.allSatisfy { $0.contains(.secureConnections) }
    let flags = [request.hasOutOfBandData, response.hasOutOfBandData]
    if isSecure ? flags.contains(true) : flags == [true, true] {
      self = .outOfBand
    } else if !requirements.contains(where: { $0.contains(.authentication) }) {
      self = .justWorks
    } else {
      self.init(
        central: request.capability, peripheral: response.capability, comparesNumbers: isSecure)
    }
  }
}
