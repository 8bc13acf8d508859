import BlueZ
import Bluetooth
import Centrals
import EventLoop
import Exact
import Framing
import GATTClient
import SecurityManager

/// A central with blemu's own host, on a controller of its own.
@EventLoop
package final class HostCentral: AirCentral {
  private let seat: CentralSeat
  private var link: BegunLink?
  /// Those with the device.
  private var keys: [LongTermKey] = []
  private let changes = Condition()
  /// Gets out of range until the link has broken off; nil: it cannot.
  package var breakLink: (@EventLoop () async -> Void)?
  /// How long a device may take to answer.
  private static let timeLimit = Duration.seconds(20)
  /// How long the encryption may take.
  private static let patience = Duration.seconds(5)

  package init(_ seat: CentralSeat) { self.seat = seat }

  package func connect(to place: AirPlace, mtu: Int) async throws -> GATTClient {
    let device = place.device ?? LinkAddress(place.adapter)
    guard let link = try await seat.connect(to: device, within: Self.timeLimit) else {
      throw TestBedError("cannot connect: \(device) did not answer within \(Self.timeLimit)")
    }
    self.link = link
    let bearer = HostBearer(link)
    return GATTClient(over: bearer, mtu: mtu) { [breakLink] reason in
      guard let breakLink, reason == .supervisionTimeout else { return await link.disconnect(reason) }
      await breakLink()
    }
  }

  package func leave() async { await seat.leave() }

  /// What it takes: SDUs of any length, as a central in memory.
  private static let terms = ChannelTerms(mtu: .max, mps: 247, credits: 10)

  package func openChannel(_ spsm: UInt16) async throws -> BegunChannel {
    guard let link else { throw TestBedError.disconnected }
    return try await link.openChannel(spsm, Self.terms)
  }
}

// MARK: Pairing

extension HostCentral {
  package func pair(
    _ attempt: PairingAttempt, during body: () async throws -> PairingOutcome
  ) async throws -> PairingOutcome {
    guard let link else { throw TestBedError.disconnected }
    link.onSecurity = { [weak self] in self?.take($0, for: attempt) }
    link.changeSecurity { manager, now in
      manager.policy = PairingPolicy(attempt)
      return manager.pair(at: now)
    }
    defer { link.onSecurity = nil }
    return try await body()
  }

  private func take(_ action: SecurityAction, for attempt: PairingAttempt) {
    switch action {
    case .askPasskey:
      answer(.passkey, for: attempt) { answer, manager, now in
        manager.enter(passkey: answer.passkey, at: now)
      }
    case .compare(let number):
      answer(.compare(number), for: attempt) { answer, manager, now in
        manager.confirm(answer == .yes, at: now)
      }
    case .paired(let result):
      keys = result.bond?.longTermKeys ?? []
      attempt.ended(.paired)
    case .failed(let failure, _): attempt.ended(.failed(failure))
    default: break
    }
  }

  /// Asks the central's user.
  private func answer(
    _ question: PairingQuestion, for attempt: PairingAttempt,
    _ body: @escaping @EventLoop (PairingAnswer, inout SecurityManager, Instant) -> [SecurityAction]
  ) {
    EventLoop.start { [weak self] in
      let answer = await attempt.answer(question)
      self?.link?.changeSecurity { body(answer, &$0, $1) }
    }
  }
}

extension PairingAnswer {
  fileprivate var passkey: UInt32? { if case .enter(let passkey) = self { passkey } else { nil } }
}

extension PairingPolicy {
  /// How the central pairs. If it shows a passkey, it is the one that is entered at the device.
  fileprivate init(_ attempt: PairingAttempt) {
    let (request, policy) = (attempt.request, attempt.policy)
    self.init()
    capability = request.capability
    secureConnections = request.canSecureConnections ? .allowed : .never
    bonds = request.bonds
    maximumKeySize = request.maximumKeySize
    passkey = request.passkey
    if request.model(with: policy) == .passkeyShownByCentral { passkey = passkey ?? policy.passkey }
  }
}

// MARK: Keys

extension HostCentral {
  package func encrypt() async throws -> Bool {
    guard let link else { throw TestBedError.disconnected }
    guard !link.security.isEncrypted else { return true }
    link.onSecurity = { [changes] _ in changes.signal() }
    link.changeSecurity { [keys] manager, now in
      manager.keys = keys
      return manager.encrypt(at: now)
    }
    await changes.wait(for: Self.patience) {
      link.security.isEncrypted || link.failure != nil || link.end != nil
    }
    link.onSecurity = nil
    if link.security.isEncrypted { return true }
    // PIN or Key Missing; RootCanal says Authentication Failure.
    guard link.failure != nil else { throw TestBedError.notEncrypted }
    keys = []
    return false
  }

  /// A device on blemu's own host has its keys only as long as it runs.
  package func forgetKeys(ofDevice: Bool) async { keys = [] }
}
