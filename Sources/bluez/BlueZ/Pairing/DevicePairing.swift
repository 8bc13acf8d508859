import Behavior
import Bluetooth
import DBus
import EventLoop
import Peripheral

/// How the device pairs through bluetoothd: its policy, its agent, and the pairing with each central.
@EventLoop
final class DevicePairing {
  /// nil: as the system is set up.
  private(set) var policy: PairingPolicy?
  /// Whether the device has set how the adapter pairs.
  private(set) var hasPaired = false
  private weak var transport: BlueZTransport?
  /// The device's agent of bluetoothd; nil: the system pairs.
  private var agency: PairingAgency?
  /// The last change of how the adapter pairs.
  private var lastChange: Task<Void, Never>?
  private var pairings = CentralPairings()
  /// The centrals that have paired, and whose keys the device does not keep.
  private var unkept: Set<Central> = []
  /// What somebody at the device is to answer, for each central that pairs.
  private var awaitedAnswers: [Central: AnyObject] = [:]

  init(of transport: BlueZTransport) { self.transport = transport }

  /// Pairs in the way of the device from now on.
  func begin(_ policy: PairingPolicy?) async {
    self.policy = policy
    guard let policy, let (client, adapter) = transport?.inUse else { return }
    hasPaired = true
    // On the connection that watches BlueZ, so that a central has connected before bluetoothd asks about it.
    let agency = await PairingAgency.open(for: adapter.path, on: client.connection) { [weak self] in
      if let self { answer($1, from: $0, $2) } else { $2(.no) }
    } onCancel: { [weak self] in
      self?.ended()
    } onChange: { [weak self] in
      self?.change { await $0.setPairing() }
    } warn: { [weak self] in
      self?.warn($0)
    }
    self.agency = agency
    await agency.register(policy.agentCapability)
  }

  func change(to policy: PairingPolicy?) {
    self.policy = policy
    change { await $0.changePairing() }
  }

  /// Follows the adapter to its present name.
  func follow(_ adapter: Adapter) { agency?.adapter = adapter.path }

  /// Unregisters the agent, and makes bluetoothd forget the keys that the device does not keep.
  func end(_ client: BlueZClient, _ adapter: Adapter?) async {
    await lastChange?.value
    await agency?.end()
    agency = nil
    guard let adapter else { return }
    for central in unkept.inAddressOrder { await client.forget(central, of: adapter) }
    unkept = []
  }

  private func warn(_ message: String) { transport?.host?.warn(message) }
}

// MARK: How the adapter pairs

extension DevicePairing {
  /// Changes how the adapter pairs, after all earlier changes.
  private func change(_ body: @escaping @EventLoop @Sendable (DevicePairing) async -> Void) {
    let earlier = lastChange
    lastChange = EventLoop.start { [weak self] in
      await earlier?.value
      if let self { await body(self) }
    }
  }

  private func changePairing() async {
    guard let (client, adapter) = transport?.inUse else { return }
    guard let policy else {
      await agency?.end()
      agency = nil
      return await setPairing(transport?.settings?.pairing, client, adapter)
    }
    guard let agency else { return await begin(policy) }
    await agency.register(policy.agentCapability)
    await setPairing()
  }

  /// bluetoothd sets it itself when it gets an agent.
  private func setPairing() async {
    guard let policy, let (client, adapter) = transport?.inUse else { return }
    await setPairing(AdapterSettings.Pairing(isAllowed: policy.isAllowed, timeout: 0), client, adapter)
  }

  private func setPairing(
    _ pairing: AdapterSettings.Pairing?, _ client: BlueZClient, _ adapter: Adapter
  ) async {
    guard let pairing else { return }
    do throws(DBusError) { try await client.set(pairing, adapter) } catch {
      warn("cannot set whether \(adapter.name) pairs: \(error.message)")
    }
  }
}

// MARK: Questions

extension DevicePairing {
  private func answer(
    _ question: PairingQuestion, from central: Central, _ respond: @escaping PairingAgent.Answering
  ) {
    transport?.client?.gate.letMessagesPass()
    guard let policy, let transport, transport.noteQuestion(about: central) else {
      return respond(refuse(central))
    }
    guard policy.isAllowed else { return respond(answer(question, .asUsual, central)) }
    switch question {
    case .show(let passkey, entered: _), .compare(let passkey):
      if pairings.shows(passkey, central) { show(passkey, central) }
    case .passkey, .pair, .use: break
    }
    switch question {
    case .compare: ask(.comparison, question, central, respond)
    case .passkey: ask(.passkey, question, central, respond)
    case .show, .pair, .use: respond(answer(question, .asUsual, central))
    }
  }

  /// Lets somebody at the device answer, unless the central leaves before.
  private func ask(
    _ asked: LinkRequest, _ question: PairingQuestion, _ central: Central,
    _ respond: @escaping PairingAgent.Answering
  ) {
    guard let host = transport?.host else { return respond(.no) }
    awaitedAnswers[central] = host.ask(asked, about: central) { [weak self] in
      respond(self?.answer(question, $0, central) ?? .no)
    }
  }

  private func answer(
    _ question: PairingQuestion, _ answer: PersonAnswer, _ central: Central
  ) -> PairingAnswer {
    do throws(PairingFailure) {
      switch answer {
      case .asUsual: return try policy?.answer(to: question) ?? .no
      case .passkey(let other): return .enter(other)
      case .refusal: throw question == .passkey ? .passkeyEntryFailed : .numericComparisonFailed
      case .nothing: return .no  // bluetoothd has given up, and has told that
      }
    } catch {
      if answer == .asUsual, error == .passkeyEntryFailed { warn(PairingPolicy.noPasskey(for: central)) }
      _ = pairings.failed(central)
      transport?.tell(.pairingFailed(central, error))
      if let cause = policy?.cause(of: error) { warn(PairingPolicy.refusal(of: central, cause)) }
      return .no
    }
  }

  private func show(_ passkey: UInt32, _ central: Central) {
    transport?.tell(.passkeyShown(central, passkey))
    guard let (client, adapter) = transport?.inUse else { return }
    EventLoop.start { [weak self] in
      if await client.isPaired(central, with: adapter) { self?.pairings.isPairedAlready(central) }
    }
  }

  private func refuse(_ device: Central) -> PairingAnswer {
    warn(
      "blemu refused to pair with \(device), which is not a central of this device: while it runs, blemu is bluetoothd's "
        + "default agent; to pair, use a program with its own agent, such as bluetoothctl")
    return .no
  }
}

// MARK: The outcome

extension DevicePairing {
  func paired(_ central: Central) {
    if policy?.bonds == false { unkept.insert(central) }
    for event in pairings.paired(central) { transport?.tell(event) }
  }

  /// bluetoothd has dropped the keys of a central.
  func unpaired(_ central: Central) { pairings.forget(central) }

  func bonded(_ central: Central) {
    guard policy?.bonds != false else { return }
    for event in pairings.bonded(central) { transport?.tell(event) }
  }

  /// A central has paired or failed to pair, so it needs no passkey any more.
  private func ended() {
    guard let (client, adapter) = transport?.inUse else { return }
    for central in pairings.awaited {
      EventLoop.start { [weak self] in
        if await !client.isPaired(central, with: adapter) { self?.failed(central) }
      }
    }
  }

  private func failed(_ central: Central) {
    for event in pairings.failed(central) { transport?.tell(event) }
  }

  /// A central has left.
  func left(_ central: Central) {
    awaitedAnswers[central] = nil
    failed(central)
    pairings.forget(central)
    guard let (client, adapter) = transport?.inUse, unkept.remove(central) != nil else { return }
    EventLoop.start { await client.forget(central, of: adapter) }
  }
}
