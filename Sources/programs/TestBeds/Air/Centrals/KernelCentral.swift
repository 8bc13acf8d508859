import Bluetooth
import EventLoop
import Exact
import GATTClient
import Kernel
import Peripheral

/// A central on an adapter of this machine, through the kernel's sockets. It pairs by bluetoothd.
@EventLoop
package final class KernelCentral: AirCentral {
  private let choice: AdapterChoice
  /// How it finds the adapters of this machine.
  private let controller: @EventLoop (AdapterChoice) async throws -> LocalController
  private var adapters: Adapters?
  /// How long the encryption may take.
  private static let patience = Duration.seconds(5)

  /// The adapters of the central and the device, and the address of the device.
  private struct Adapters {
    let own: LocalController
    /// nil: the kernel does not have it.
    let device: LocalController?
    let peer: LinkAddress
  }

  package init(
    _ choice: AdapterChoice, controller: @escaping @EventLoop (AdapterChoice) async throws -> LocalController
  ) {
    (self.choice, self.controller) = (choice, controller)
  }

  package func connect(to place: AirPlace, mtu: Int) async throws -> GATTClient {
    let adapters = try await adapters(place)
    self.adapters = adapters
    do { return try await GATTClient.connect(from: adapters.own, to: adapters.peer, mtu: mtu) } catch {
      throw error.asTestBedError
    }
  }

  package func openChannel(_ spsm: UInt16) async throws -> BegunChannel {
    throw TestBedError("a central on the kernel opens no channel; run it with --central exact:ADAPTER")
  }

  private func adapters(_ place: AirPlace) async throws -> Adapters {
    let own = try await controller(choice)
    guard own.address.address != place.adapter else {
      throw TransportError(
        .unavailable, "\(own.name) cannot serve both the device and the central",
        hint: "use two adapters, as in --on bluez:hci0 --central bluez:hci1")
    }
    if let peer = place.device {
      return Adapters(own: own, device: try? await controller(.address(place.adapter)), peer: peer)
    }
    let device = try await controller(.address(place.adapter))
    return Adapters(own: own, device: device, peer: device.address)
  }

  package func leave() async {}
}

// MARK: Pairing

extension KernelCentral {
  package func obstacle(to request: PairingRequest, with policy: PairingPolicy) -> String? {
    if request.needsOwnPasskey(with: policy) {
      return "Linux shows a passkey at random at the central, and not the one that is entered at the device; "
        + "put 'memory-only' at the beginning of the section"
    }
    if request.maximumKeySize < 16 {
      return "Linux always offers keys of 16 bytes; put 'memory-only' at the beginning of the section"
    }
    if policy.isAllowed, !(request.bonds && policy.bonds), !request.usesSecureConnections(with: policy) {
      return
        "Linux does not tell a device of LE legacy pairing whose keys nobody keeps; use 'bond', or put 'memory-only' at "
        + "the beginning of the section"
    }
    return nil
  }

  package func pair(
    _ attempt: PairingAttempt, during body: () async throws -> PairingOutcome
  ) async throws -> PairingOutcome {
    guard let adapters else { throw TestBedError.disconnected }
    guard let pairing = await BluetoothdPairing.open(for: adapters.own) else {
      throw TestBedError("a central on bluez pairs by bluetoothd, which does not run; use one on exact")
    }
    defer { pairing.end() }
    return try await with(attempt.request, pairing, of: adapters.own) {
      let task = EventLoop.start {
        do throws(TestBedError) {
          let isPaired = try await pairing.pair(
            adapters.peer, as: attempt.request.capability, answer: attempt.answer)
          attempt.ended(isPaired ? .paired : .failed(nil))
        } catch { attempt.ended(.broken(error)) }
      }
      defer { task.cancel() }
      return try await body()
    }
  }

  /// Sets the adapter for the time of a pairing.
  private func with(
    _ request: PairingRequest, _ pairing: BluetoothdPairing, of controller: LocalController,
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

extension KernelCentral {
  /// Linux ends a link whose device has lost the keys.
  package func encrypt() async throws -> Bool {
    guard let adapters else { throw TestBedError.disconnected }
    let link = KernelLink(controller: adapters.own, peer: adapters.peer)
    guard link.isEncrypted != true else { return true }
    link.requestSecurity(authenticated: false)
    let deadline = EventLoop.now + Self.patience.microseconds
    while link.isEncrypted != true {
      guard EventLoop.now < deadline else { throw TestBedError.notEncrypted }
      await EventLoop.pause(.milliseconds(20))
    }
    return true
  }

  /// The adapters have to be on.
  package func forgetKeys(ofDevice: Bool) async {
    guard let adapters else { return }
    let pairing = await BluetoothdPairing.open(for: adapters.own)
    let management = try? ManagementSocket.open()
    let device = ofDevice ? adapters.device : nil
    let sides = [(adapters.own, adapters.peer)] + (device.map { [($0, adapters.own.address)] } ?? [])
    for (controller, peer) in sides {
      await pairing?.forget(peer.address, of: controller)
      try? await management?.unpair(peer, disconnecting: true, on: controller.index)
    }
    pairing?.end()
    management?.close()
  }
}

extension L2CAPError {
  /// A problem of the machine ends the run; any other ends this conversation.
  fileprivate var asTestBedError: any Error {
    switch self {
    case .notPermitted: TransportError(.noPermission, message, hint: hint)
    case .noBluetooth: TransportError(.withoutBluetooth, message, hint: hint)
    case .noController, .noLowEnergy: TransportError(.unavailable, message, hint: hint)
    case .noAnswer, .busy, .cancelled, .failed: TestBedError("cannot connect: \(message)")
    }
  }
}
