import BlueZ
import Bluetooth
import EventLoop
import Transcripts

// MARK: Pairing

extension AirTestBed {
  /// How long pairing may take: bluetoothd and the kernel give up after 30 s without an answer (Core Specification, Vol 3 Part
  /// H 3.4).
  private static let pairingLimit = Duration.seconds(60)
  /// How long the device may take to report what the central already knows, and the other way round.
  private static let settling = Duration.seconds(5)

  /// The keys that the central and the device have.
  enum Keys {
    case none
    case ofThisLink
    /// The central has lost its own.
    case ofDevice
    case kept
  }

  package func pair(_ request: PairingRequest) async throws -> PairingOutcome {
    try checkInterruption()
    guard link != nil else { throw TestBedError.disconnected }
    if keys == .kept { try await encrypt() }
    if keys == .kept { return .paired(bonded: true) }
    if let obstacle = central.obstacle(to: request, with: pairingPolicy) { throw TestBedError(obstacle) }
    observer.beginPairing()
    keys = .ofThisLink  // also if it is interrupted, or the device does not accept the central's
    let attempt = PairingAttempt(request, with: pairingPolicy, changes) { [weak self] in
      await self?.answer($0, request) ?? .no
    }
    return try await central.pair(attempt) { try await outcome(of: attempt) }
  }

  private func outcome(of attempt: PairingAttempt) async throws -> PairingOutcome {
    await changes.wait(for: Self.pairingLimit) {
      observer.pairing.isPaired || observer.pairing.failure != nil || attempt.hasFailed || link == nil
        || isInterrupted
    }
    try checkInterruption()
    if case .broken(let error) = attempt.end { throw error }
    guard observer.pairing.isPaired else { return await fail(attempt) }
    // The central ends its part after the device.
    await changes.wait(for: Self.settling) { attempt.end != nil || link == nil }
    let bonds = attempt.request.bonds
    if bonds, pairingPolicy.bonds {
      await changes.wait(for: Self.settling) { observer.pairing.isBonded }
    }
    if bonds, observer.pairing.isBonded { keys = .kept }
    return .paired(bonded: keys == .kept)
  }

  /// The central disconnects, as bluetoothd does.
  private func fail(_ attempt: PairingAttempt) async -> PairingOutcome {
    await changes.wait(for: .seconds(1)) { observer.pairing.failure != nil }
    await leave()
    await changes.wait(for: Self.settling) { observer.centralCount == 0 }
    inbox.remove { $0.source == .disconnection }
    await forgetKeys()
    return .failed(observer.pairing.failure ?? attempt.failure ?? .unknown)
  }

  private func answer(_ question: PairingQuestion, _ request: PairingRequest) async -> PairingAnswer {
    guard question == .passkey else { return .yes }
    if let passkey = request.passkey { return .enter(passkey) }
    if request.model(with: pairingPolicy) == .passkeyEnteredAtBoth {
      return pairingPolicy.passkey.map { .enter($0) } ?? .no
    }
    // The central may be asked before or after the device reports the passkey.
    await observer.passkeys.wait(for: Self.settling) { observer.pairing.passkey != nil }
    return observer.pairing.passkey.map { .enter($0) } ?? .no
  }

  /// Forgets the keys on both sides.
  func forgetKeys() async {
    guard keys != .none else { return }
    keys = .none
    await central.forgetKeys(ofDevice: true)
  }

  package func unpair() async throws {
    try checkInterruption()
    await leave()
    guard keys != .none else { return }
    keys = .ofDevice
    await central.forgetKeys(ofDevice: false)
  }

  /// Encrypts the link with the kept keys, as a client does by itself. They are gone if the device has lost its own.
  func encrypt() async throws {
    if try await !central.encrypt() { keys = .none }
  }
}
