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

  package let link: SecuredLink
  /// How this device pairs: a pairing that has begun is not affected by a change.
  package var policy: PairingPolicy
  /// What this device has got and given by another way than Bluetooth.
  package var outOfBand = OutOfBandData()
  /// The keys for links to this peer. A pairing replaces them, also by keys that last only as long as this link.
  package var keys: [LongTermKey]
  /// How often this peer has failed to authenticate itself.
  package var attempts: RepeatedAttempts
  /// What goes wrong in the next pairing, or the present one; nil: nothing, or it has gone wrong.
  package var fault: PairingFault? { didSet { hasMetFault = false } }
  /// Whether the pairing has met a fault: then it does not count against the peer.
  var hasMetFault = false
  /// The link's protection now.
  package internal(set) var security = LinkSecurity.none
  var state = PairingState.idle
  /// The key that the controller has been given, and that encrypts the link from the next event on.
  var startingKey: StartingKey?
  /// When the Security Manager Timer was last reset (3.4).
  private var timerReset = Instant()
  var now = Instant()
  private var random: any RandomNumberGenerator & Sendable
  var actions: [SecurityAction] = []

  /// - Parameters:
  ///   - keys: the kept ones of this peer; none if it is not bonded.
  ///   - random: draws keys; its numbers must not be predictable, except in tests.
  package init(
    _ link: SecuredLink, policy: PairingPolicy, keys: [LongTermKey] = [],
    attempts: RepeatedAttempts = RepeatedAttempts(), random: any RandomNumberGenerator & Sendable
  ) {
    (self.link, self.policy, self.keys) = (link, policy, keys)
    (self.attempts, self.random) = (attempts, random)
  }

  /// Whether a pairing is under way: neither side may change its address now.
  package var isPairing: Bool { state.isPairing }

  /// Whether the time for a pairing was over: then this link allows no other one (3.4).
  package var hasTimedOut: Bool {
    if case .closed = state { true } else { false }
  }

  /// When the pairing that is under way fails unless this device can go on with it (3.4).
  package var deadline: Instant? { isPairing ? timerReset.advanced(by: Self.timeout) : nil }

  package static let timeout = Duration.seconds(30)
}

// MARK: What happens

extension SecurityManager {
  /// Takes a PDU from the peer.
  package mutating func receive(_ packet: [UInt8], at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      try manager.handle(try SecurityPDU.read(packet))
    }
  }

  /// Lets the pairing fail if its time is over.
  package mutating func timePassed(at now: Instant) -> [SecurityAction] {
    perform(at: now) { _ throws(PairingFailure) in }
  }

  /// Does one thing, unless the time is over. Where it throws, the peer gets Pairing Failed.
  mutating func perform(
    at now: Instant, _ body: (inout Self) throws(PairingFailure) -> Void
  ) -> [SecurityAction] {
    enter(now)
    if !hasTimedOut {
      do throws(PairingFailure) { try body(&self) } catch { fail(error) }
    }
    return takeActions()
  }

  /// Ends a pairing whose time is over.
  mutating func enter(_ now: Instant) {
    self.now = now
    if let deadline, deadline <= now { end(.timeout, by: .own, in: .closed) }
  }

  mutating func takeActions() -> [SecurityAction] {
    if fault != nil { meetFault() }
    defer { actions = [] }
    return actions
  }
}

// MARK: What it does

extension SecurityManager {
  mutating func send(_ pdu: SecurityPDU) {
    timerReset = now
    actions.append(.send(pdu.bytes))
  }

  /// Tells the peer that the pairing has failed.
  mutating func fail(_ reason: PairingFailure) {
    send(.pairingFailed(reason))
    end(reason, by: .own)
  }

  /// Ends the pairing, if there is one.
  mutating func end(_ reason: PairingFailure, by side: Side, in state: PairingState = .idle) {
    guard isPairing else { return }
    self.state = state
    if !hasMetFault { attempts.failed(reason, at: now) }
    actions.append(.failed(reason, by: side))
  }

  mutating func randomBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  mutating func randomPasskey() -> UInt32 { UInt32(random.next() % UInt64(Passkey.range.upperBound + 1)) }
}
