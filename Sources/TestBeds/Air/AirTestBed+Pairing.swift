import Bluetooth
import EventLoop
import L2CAP
import Management
import PairingAgent
import Transcripts

// MARK: Pairing

extension AirTestBed {
  /// How long pairing may take: bluetoothd and the kernel give up after 30 s without an answer (Core Specification, Vol 3 Part
  /// H 3.4).
  private static let pairingLimit = Duration.seconds(60)
  /// How long the device may take to report what the central already knows.
  private static let settling = Duration.seconds(5)

  package func pair(_ request: PairingRequest) async throws -> PairingOutcome {
    try checkInterruption()
    guard link != nil, let adapters else { throw TestBedError.disconnected }
    if keys == .kept {
      try await encrypt()
      return .paired(bonded: true)
    }
    let policy = pairingPolicy
    if request.needsOwnPasskey(with: policy) {
      throw TestBedError(
        "Linux shows a passkey at random at the central, and not the one that is entered at the device; "
          + "put 'memory-only' at the beginning of the section")
    }
    if policy.isAllowed, !(request.bonds && policy.bonds), !request.usesSecureConnections(with: policy) {
      throw TestBedError(
        "Linux does not tell a device of LE legacy pairing whose keys nobody keeps; use 'bond', or put 'memory-only' at "
          + "the beginning of the section")
    }
    let pairing = try await openPairing(of: adapters.own)
    defer { pairing.end() }
    return try await with(request, pairing, of: adapters.own) {
      try await pair(request, with: adapters.peer, by: pairing)
    }
  }

  private func openPairing(of controller: LocalController) async throws(TestBedError) -> any CentralPairing {
    if let bluetoothd = await BluetoothdPairing.open(for: controller) { return bluetoothd }
    do throws(ManagementError) {
      return KernelPairing(try ManagementSocket.open(), controller)
    } catch {
      throw TestBedError(error.message)
    }
  }

  /// Sets the central's adapter for the time of a pairing.
  private func with(
    _ request: PairingRequest, _ pairing: any CentralPairing, of controller: LocalController,
    _ body: () async throws -> PairingOutcome
  ) async throws -> PairingOutcome {
    let wasBondable = try await pairing.prepare(as: request.capability)
    try await pairing.setBondable(request.bonds)
    let result: Result<PairingOutcome, any Error>
    do {
      let legacy = try await LegacyPairing(of: controller, isWanted: !request.canSecureConnections)
      do { result = .success(try await body()) } catch { result = .failure(error) }
      await legacy?.end()
    } catch { result = .failure(error) }
    try? await pairing.setBondable(wasBondable)
    return try result.get()
  }

  private func pair(
    _ request: PairingRequest, with peer: LinkAddress, by pairing: any CentralPairing
  ) async throws -> PairingOutcome {
    observer.beginPairing()
    keys = .ofThisLink  // also if it is interrupted, or the device does not accept the central's
    let attempt = PairingAttempt()
    let task = EventLoop.start { [weak self, changes] in
      do throws(TestBedError) {
        let isPaired = try await pairing.pair(peer, as: request.capability) {
          await self?.answer($0, request) ?? .no
        }
        attempt.state = isPaired ? .paired : .failed
      } catch {
        attempt.state = .impossible(error)
      }
      changes.signal()
    }
    defer { task.cancel() }
    await changes.wait(for: Self.pairingLimit) {
      observer.pairing.isPaired || observer.pairing.failure != nil || attempt.state.isFailure || link == nil
        || isInterrupted
    }
    try checkInterruption()
    if case .impossible(let error) = attempt.state { throw error }
    guard observer.pairing.isPaired else { return await fail() }
    // The central ends its part after the device.
    await changes.wait(for: Self.settling) { attempt.state != .begun || link == nil }
    if request.bonds, pairingPolicy.bonds {
      await changes.wait(for: Self.settling) { observer.pairing.isBonded }
    }
    if request.bonds, observer.pairing.isBonded { keys = .kept }
    return .paired(bonded: keys == .kept)
  }

  /// The central disconnects, as bluetoothd does.
  private func fail() async -> PairingOutcome {
    await changes.wait(for: .seconds(1)) { observer.pairing.failure != nil }
    await leave()
    await changes.wait(for: Self.settling) { observer.centralCount == 0 }
    inbox.remove { $0.source == .disconnection }
    await forgetKeys()
    return .failed(observer.pairing.failure ?? .unknown)
  }

  private func answer(_ question: PairingQuestion, _ request: PairingRequest) async -> PairingAnswer {
    guard question == .passkey else { return .yes }
    if let passkey = request.passkey { return .enter(passkey) }
    if request.model(with: pairingPolicy) == .passkeyEnteredAtBoth {
      return pairingPolicy.passkey.map { .enter($0) } ?? .no
    }
    // bluetoothd asks the central before or after it has told the device the passkey.
    await observer.passkeys.wait(for: Self.settling) { observer.pairing.passkey != nil }
    return observer.pairing.passkey.map { .enter($0) } ?? .no
  }
}

/// A call that pairs.
@EventLoop
private final class PairingAttempt {
  enum State: Equatable {
    case begun
    case paired
    case failed
    case impossible(TestBedError)

    var isFailure: Bool { self != .begun && self != .paired }
  }

  var state = State.begun
}

extension PairingRequest {
  /// Whether the pairing only succeeds with a passkey that the central shows and does not draw.
  fileprivate func needsOwnPasskey(with policy: PairingPolicy) -> Bool {
    guard model(with: policy) == .passkeyShownByCentral, policy.isAllowed, let entered = policy.passkey
    else { return false }
    return passkey ?? entered == entered
  }
}

// MARK: Keys

extension AirTestBed {
  /// The keys that the central and the device have.
  enum Keys {
    case none
    case ofThisLink
    case kept
  }

  /// Encrypts the link with the keys, as a client does by itself.
  func encrypt() async throws {
    guard let adapters else { throw TestBedError.disconnected }
    let kernelLink = KernelLink(controller: adapters.own, peer: adapters.peer)
    guard kernelLink.isEncrypted != true else { return }
    kernelLink.requestSecurity(authenticated: false)
    let deadline = EventLoop.now + Self.settling.microseconds
    while kernelLink.isEncrypted != true {
      guard EventLoop.now < deadline else { throw TestBedError("the link is not encrypted with the keys") }
      await EventLoop.pause(.milliseconds(20))
    }
  }

  /// Forgets the keys on both sides. The adapters have to be on.
  func forgetKeys() async {
    guard keys != .none, let adapters else { return }
    keys = .none
    let pairing = await BluetoothdPairing.open(for: adapters.own)
    let management = try? ManagementSocket.open()
    let sides = [(adapters.own, adapters.peer), (adapters.device, adapters.own.address)]
    for (controller, peer) in sides {
      await pairing?.forget(peer.address, of: controller)
      try? await management?.unpair(peer, disconnecting: true, on: controller.index)
    }
    pairing?.end()
    management?.close()
  }
}
