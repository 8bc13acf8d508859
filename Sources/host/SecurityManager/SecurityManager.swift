import Bluetooth
import Framing

/// The Security Manager of one LE link: PDUs, a person's answers, the controller's events and the time in, actions out (Core
/// Specification, Vol 3 Part H).
///
/// The caller performs the returned actions in their order. Whenever ``deadline`` comes, it calls ``timePassed(at:)``. A
/// manager lasts as long as the link; ``attempts`` and the keys in a ``PairingResult`` outlast it.
package struct SecurityManager: Sendable {
  /// The side of the link that does something.
  package enum Side: Hashable, Sendable {
    case own, peer
  }

  /// How far a pairing has come.
  private enum State {
    case idle
    /// The peripheral has sent a Security Request, and the central has not begun.
    case securityRequested
    /// The central has sent a Pairing Request with these features, and the peripheral has not answered.
    case requested(PairingFeatures)
    case legacy(LegacyExchange)
    case secure(SecureExchange)
    /// Both devices have the key, and the link is not yet encrypted with it.
    case encrypting(PairingAgreement, LongTermKey)
    case distributing(KeyDistribution)
    /// The time of a pairing was over.
    case closed
  }

  package let link: SecuredLink
  /// How this device pairs: a pairing that has begun is not affected by a change.
  package var policy: PairingPolicy
  /// What this device has got and given by another way than Bluetooth.
  package var outOfBand = OutOfBandData()
  /// The keys for links to this peer. A pairing replaces them, also by keys that last only as long as this link.
  package var keys: [LongTermKey] { didSet { areKept = areKept && !keys.isEmpty } }
  /// Whether ``keys`` are those of a bond.
  private var areKept: Bool
  /// How strong the bonds of this device are, by the identity addresses of their peers: none is replaced by a weaker one.
  package var strengths: [LinkAddress: KeyStrength] = [:]
  /// Whether there is no room for a bond with the peer, so that the device does not pair with it.
  package var hasNoRoom = false
  /// The peer whose bond the last pairing would have replaced by a weaker one; nil: none.
  package private(set) var keptBond: LinkAddress?
  /// Whether the peer can pair by LE Secure Connections, as its last Pairing Request says.
  package private(set) var canSecureConnections = false
  /// How often this peer has failed to authenticate itself.
  package var attempts: RepeatedAttempts
  /// What goes wrong in the next pairing, or the present one; nil: nothing, or it has gone wrong.
  package var fault: PairingFault? { didSet { hasMetFault = false } }
  /// Whether the pairing has met a fault: then it does not count against the peer.
  private var hasMetFault = false
  /// The link's protection now.
  package private(set) var security = LinkSecurity.none
  /// Whether the key of a bond encrypts the link, and not that of a pairing on this link.
  private var isByBond = false
  private var state = State.idle
  /// The key that the controller has been given, and that encrypts the link from the next event on. It may be the key of the pairing
  /// that is under way.
  private var startingKey: (security: LinkSecurity, isOfPairing: Bool)?
  /// When the Security Manager Timer was last reset (3.4).
  private var timerReset = Instant()
  private var now = Instant()
  private var output: PairingOutput

  /// - Parameters:
  ///   - keys: the kept ones of this peer; none if it is not bonded.
  ///   - random: draws keys; its numbers must not be predictable, except in tests.
  package init(
    _ link: SecuredLink, policy: PairingPolicy, keys: [LongTermKey] = [],
    attempts: RepeatedAttempts = RepeatedAttempts(), random: any RandomNumberGenerator & Sendable
  ) {
    (self.link, self.policy, self.keys, areKept) = (link, policy, keys, !keys.isEmpty)
    (self.attempts, output) = (attempts, PairingOutput(random: random))
  }

  /// Whether a pairing is under way: neither side may change its address now.
  package var isPairing: Bool {
    switch state {
    case .idle, .securityRequested, .closed: false
    case .requested, .legacy, .secure, .encrypting, .distributing: true
    }
  }

  /// Whether the time for a pairing was over: then this link allows no other one (3.4).
  package var hasTimedOut: Bool {
    if case .closed = state { true } else { false }
  }

  /// When the pairing that is under way fails unless this device can go on with it (3.4).
  package var deadline: Instant? { isPairing ? timerReset.advanced(by: Self.timeout) : nil }

  package static let timeout = Duration.seconds(30)
}

// MARK: Each call

extension SecurityManager {
  /// Takes a PDU from the peer.
  package mutating func receive(_ packet: [UInt8], at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      if let pdu = try SecurityPDU.read(packet) { try manager.handle(pdu) }
    }
  }

  /// Lets the pairing fail if its time is over.
  package mutating func timePassed(at now: Instant) -> [SecurityAction] {
    perform(at: now) { _ throws(PairingFailure) in }
  }

  /// Does one thing, unless the time is over. Where it throws, the peer gets Pairing Failed.
  private mutating func perform(
    at now: Instant, _ body: (inout Self) throws(PairingFailure) -> Void
  ) -> [SecurityAction] {
    enter(now)
    if !hasTimedOut {
      do throws(PairingFailure) { try body(&self) } catch { fail(error) }
    }
    return takeActions()
  }

  /// Ends a pairing whose time is over.
  private mutating func enter(_ now: Instant) {
    self.now = now
    if let deadline, deadline <= now { end(.timeout, by: .own, in: .closed) }
  }

  private mutating func takeActions() -> [SecurityAction] {
    if fault != nil { meetFault() }
    if output.actions.contains(where: { if case .send = $0 { true } else { false } }) { timerReset = now }
    defer { output.actions = [] }
    return output.actions
  }

  private mutating func tell(_ action: SecurityAction) { output.actions.append(action) }

  /// Tells the peer that the pairing has failed.
  private mutating func fail(_ reason: PairingFailure) {
    output.send(.pairingFailed(reason))
    end(reason, by: .own)
  }

  /// Ends the pairing, if there is one.
  private mutating func end(_ reason: PairingFailure, by side: Side, in state: State = .idle) {
    guard isPairing else { return }
    self.state = state
    if !hasMetFault { attempts.failed(reason, at: now) }
    tell(.failed(reason, by: side))
  }
}

// MARK: The features: what the devices can and want (2.3)

extension SecurityManager {
  /// Begins to pair: a central sends a Pairing Request, a peripheral a Security Request. Does nothing while a pairing is under
  /// way, and after one has timed out.
  package mutating func pair(at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      guard !manager.isPairing else { return }
      if manager.link.role == .central { manager.request() } else { manager.requestSecurity() }
    }
  }

  private mutating func request() {
    guard !attempts.isWaiting(at: now) else { return tell(.failed(.repeatedAttempts, by: .own)) }
    let request = PairingFeatures(link, policy, outOfBand)
    state = .requested(request)
    output.send(.pairingRequest(request))
  }

  private mutating func requestSecurity() {
    state = .securityRequested
    output.send(.securityRequest(policy.requirements))
  }

  /// A central hears of a peripheral's Security Request. It ignores one during a pairing (2.4.6).
  private mutating func hear(_ requirements: AuthenticationRequirements) throws(PairingFailure) {
    guard link.role == .central else { throw .commandNotSupported }
    guard !isPairing else { return }
    guard policy.isAllowed || !keys.isEmpty else { throw .pairingNotSupported }
    tell(.requestedSecurity(requirements))
  }

  private mutating func respond(to request: PairingFeatures) throws(PairingFailure) {
    guard link.role == .peripheral else { throw .commandNotSupported }
    guard !isPairing else { throw .unspecifiedReason }
    state = .requested(request)
    (keptBond, canSecureConnections) = (nil, request.requirements.contains(.secureConnections))
    guard policy.isAllowed, !hasNoRoom else { throw .pairingNotSupported }
    guard !attempts.isWaiting(at: now) else { throw .repeatedAttempts }
    let response = PairingFeatures(link, policy, outOfBand).answering(request)
    let agreement = try PairingAgreement(link, policy, outOfBand, request: request, response: response)
    if agreement.bonds { try replaceBond(with: link.peerIdentity, agreement.strength) }
    output.send(.pairingResponse(response))
    begin(agreement)
  }

  /// - Throws: why the pairing ends, if the present bond with a peer is stronger.
  private mutating func replaceBond(
    with peer: LinkAddress, _ strength: KeyStrength
  ) throws(PairingFailure) {
    guard let present = strengths[peer], strength < present else { return }
    keptBond = peer
    throw .authenticationRequirements
  }

  private mutating func take(
    _ response: PairingFeatures, to request: PairingFeatures
  ) throws(PairingFailure) {
    guard response.centralKeys.isSubset(of: request.centralKeys),
      response.peripheralKeys.isSubset(of: request.peripheralKeys)
    else { throw .invalidParameters }
    begin(try PairingAgreement(link, policy, outOfBand, request: request, response: response))
  }

  private mutating func begin(_ agreement: PairingAgreement) {
    state =
      agreement.isSecure
      ? .secure(SecureExchange(agreement, &output)) : .legacy(LegacyExchange(agreement, &output))
  }
}

// MARK: The authentication and the keys

extension SecurityManager {
  /// - Throws: why the pairing ends; Unspecified Reason for a PDU that does not come now.
  private mutating func handle(_ pdu: SecurityPDU) throws(PairingFailure) {
    switch (pdu, state) {
    case (.pairingKeypressNotification, _): break
    case (.pairingFailed(let reason), _): peerFailed(reason)
    case (.pairingRequest(let request), _): try respond(to: request)
    case (.securityRequest(let requirements), _): try hear(requirements)
    case (.pairingResponse(let response), .requested(let request)) where link.role == .central:
      try take(response, to: request)
    case (.pairingResponse, _) where link.role == .peripheral: throw .commandNotSupported
    case (_, .legacy(var exchange)):
      let key = try exchange.handle(pdu, &output)
      goOn(with: exchange.agreement, key, in: .legacy(exchange))
    case (_, .secure(var exchange)):
      let key = try exchange.handle(pdu, &output)
      goOn(with: exchange.agreement, key, in: .secure(exchange))
    case (_, .distributing(var distribution)):
      try distribution.take(pdu, &output)
      try goOn(with: distribution)
    default: throw .unspecifiedReason
    }
  }

  private mutating func peerFailed(_ reason: PairingFailure) {
    if case .securityRequested = state {
      state = .idle
      tell(.failed(reason, by: .peer))
    } else {
      end(reason, by: .peer)
    }
  }

  /// - Parameter key: the key for the link, once both devices have it. Then the central starts the encryption.
  private mutating func goOn(with agreement: PairingAgreement, _ key: LongTermKey?, in state: State) {
    self.state = key.map { .encrypting(agreement, $0) } ?? state
    if let key, agreement.isCentral { encrypt(with: key, isOfPairing: true) }
  }

  private mutating func goOn(with distribution: KeyDistribution) throws(PairingFailure) {
    state = .distributing(distribution)
    guard distribution.isComplete else { return }
    let result = distribution.result(security)
    // The peer may have named an identity address that is another's.
    if let bond = result.bond { try replaceBond(with: bond.peer, distribution.strength) }
    keys = result.bond?.longTermKeys ?? [distribution.linkKey]
    areKept = result.bond != nil
    isByBond = areKept
    state = .idle
    // A pairing by Just Works does not show that the peer knows a passkey.
    if result.security.level > .encrypted || !policy.wantsAuthentication { attempts.succeeded() }
    tell(.paired(result))
  }
}

// MARK: What a person does at this device (2.3.5.3)

extension SecurityManager {
  /// Takes the answer to ``SecurityAction/askPasskey``. Does nothing if nobody has asked.
  ///
  /// - Parameter passkey: 0 to 999,999; nil: the person does not want to pair.
  package mutating func enter(passkey: UInt32?, at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      switch manager.state {
      case .legacy(var exchange):
        try exchange.enter(passkey, &manager.output)
        manager.state = .legacy(exchange)
      case .secure(var exchange):
        try exchange.enter(passkey, &manager.output)
        manager.state = .secure(exchange)
      default: break
      }
    }
  }

  /// Takes the answer to ``SecurityAction/compare(_:)``. Does nothing if nobody has asked.
  ///
  /// - Parameter isSame: whether the peer shows the same number.
  package mutating func confirm(_ isSame: Bool, at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      guard case .secure(var exchange) = manager.state else { return }
      let key = try exchange.confirm(isSame, &manager.output)
      manager.goOn(with: exchange.agreement, key, in: .secure(exchange))
    }
  }

  /// Ends a pairing that is under way.
  ///
  /// - Parameter reason: what the peer is told: one of the specification's.
  package mutating func cancel(
    _ reason: PairingFailure = .unspecifiedReason, at now: Instant
  ) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      if manager.isPairing { throw reason }
    }
  }
}

// MARK: The encryption of the link, by a key of the pairing or a kept one (2.4.4)

extension SecurityManager {
  /// Encrypts the link with a kept key, in the role of the central. Does nothing during a pairing, and without such a key.
  package mutating func encrypt(at now: Instant) -> [SecurityAction] {
    enter(now)
    if link.role == .central, !isPairing, let key = keys.first(where: { $0.isOfCentral || $0.kind >= 2 }) {
      encrypt(with: key, isOfPairing: false)
    }
    return takeActions()
  }

  private mutating func encrypt(with key: LongTermKey, isOfPairing: Bool) {
    startingKey = (key.security, isOfPairing)
    tell(.encrypt(key: key.value, rand: key.rand, ediv: key.ediv))
  }

  /// The peripheral's controller asks for the key of the link (LE Long Term Key Request, Vol 4 Part E 7.7.65.5).
  ///
  /// - Parameter rand: 8 bytes, least significant first.
  package mutating func longTermKeyRequested(rand: [UInt8], ediv: UInt16, at now: Instant) -> [SecurityAction]
  {
    enter(now)
    if let (key, isOfPairing) = key(rand: rand, ediv: ediv) {
      startingKey = (key.security, isOfPairing)
      tell(.giveKey(key.value))
    } else {
      tell(.refuseKey)
      tell(.failed(.keyMissing, by: .own))
    }
    return takeActions()
  }

  private func key(rand: [UInt8], ediv: UInt16) -> (LongTermKey, isOfPairing: Bool)? {
    guard link.role == .peripheral else { return nil }
    if case .encrypting(_, let key) = state, key.ediv == ediv, key.rand == rand { return (key, true) }
    return keys.first { !$0.isOfCentral && $0.ediv == ediv && $0.rand == rand }.map { ($0, false) }
  }

  /// Refuses to encrypt the link with any key, instead of ``longTermKeyRequested(rand:ediv:at:)``.
  package mutating func refuseKey(at now: Instant) -> [SecurityAction] {
    enter(now)
    tell(.refuseKey)
    if isPairing { end(.unknown, by: .own) } else { tell(.encryptionFailed(.keyMissing)) }
    return takeActions()
  }

  /// The encryption has begun, has a new key, or has ended (Encryption Change, Encryption Key Refresh Complete; Vol 4 Part E
  /// 7.7.8, 7.7.39).
  package mutating func encryptionChanged(to isEncrypted: Bool, at now: Instant) -> [SecurityAction] {
    enter(now)
    let (key, old, wasByBond) = (startingKey, security, isByBond)
    startingKey = nil
    let unknown = old.isEncrypted ? old : .encrypted
    security = isEncrypted ? key?.security ?? unknown : .none
    isByBond = isEncrypted && (key.map { !$0.isOfPairing && areKept } ?? isByBond)
    if security != old || isByBond != wasByBond { tell(.securityChanged(security, byBond: isByBond)) }
    switch state {
    case .encrypting(let agreement, let pairingKey) where isEncrypted && key?.isOfPairing == true:
      let distribution = KeyDistribution(agreement, pairingKey, link.identity, &output)
      do throws(PairingFailure) { try goOn(with: distribution) } catch { fail(error) }
    case .distributing where !isEncrypted: fail(.unspecifiedReason)
    case .securityRequested: state = .idle
    default: break
    }
    return takeActions()
  }

  /// The encryption could not be started, or not be given a new key: the same events with a status.
  package mutating func encryptionFailed(_ error: HCIError, at now: Instant) -> [SecurityAction] {
    enter(now)
    switch startingKey?.isOfPairing {
    case nil: break
    case true?: end(.unknown, by: .peer)
    case false? where link.role == .peripheral: tell(.encryptionFailed(error))
    case false?: tell(.failed(error == .keyMissing ? .keyMissing : .unknown, by: .peer))
    }
    startingKey = nil
    return takeActions()
  }
}

// MARK: What this device deliberately does wrong

extension SecurityManager {
  /// Applies the fault to what this device is about to send.
  private mutating func meetFault() {
    guard let fault, let index = output.actions.firstIndex(where: { fault.concerns($0) }) else { return }
    // With the last key, the pairing is over for this side.
    let isOver = !isPairing
    self.fault = nil
    hasMetFault = true
    switch fault.effect {
    case .failure(let reason, _):
      // Neither this action takes place nor those after it.
      output.actions.removeSubrange(index...)
      tell(.metFault(fault))
      fail(reason)
      guard isOver else { return }
      keys = []
      tell(.failed(reason, by: .own))
    case .wrongConfirm:
      guard case .send(let pdu) = output.actions[index] else { return }
      output.actions[index] = .send(pdu.dropLast() + [pdu[pdu.count - 1] ^ 1])
      tell(.metFault(fault))
    }
  }
}
