import Behavior
import Bluetooth
import DBus
import EventLoop
import Kernel
import Peripheral

// MARK: The device's agent

extension BlueZTransport {
  /// Pairs in the way of the device from now on.
  func beginPairing(_ policy: PairingPolicy?, on adapter: Adapter) async {
    self.policy = policy
    guard let policy, let client else { return }
    hasPaired = true
    // On the connection that watches BlueZ, so that a central has connected before bluetoothd asks about it.
    let agency = await PairingAgency.open(for: adapter.path, on: client.connection) { [weak self] in
      self?.answer($1, from: $0) ?? .no
    } onCancel: { [weak self] in
      self?.pairingEnded()
    } onChange: { [weak self] in
      self?.change { await $0.setPairing() }
    } warn: { [weak self] in
      self?.host?.warn($0)
    }
    self.agency = agency
    await agency.register(policy.agentCapability)
  }

  package func pair(_ policy: PairingPolicy?) {
    self.policy = policy
    change { await $0.changePairing() }
  }

  /// Changes how the adapter pairs, after all earlier changes.
  private func change(_ body: @escaping @EventLoop @Sendable (BlueZTransport) async -> Void) {
    let earlier = pairingChange
    pairingChange = EventLoop.start { [weak self] in
      await earlier?.value
      if let self { await body(self) }
    }
  }

  private func changePairing() async {
    guard let client, let adapter = registrar?.state.adapter else { return }
    guard let policy else {
      await agency?.end()
      agency = nil
      return await setPairing(settings?.pairing, client, adapter)
    }
    guard let agency else { return await beginPairing(policy, on: adapter) }
    await agency.register(policy.agentCapability)
    await setPairing()
  }

  /// Unregisters the agent, and makes bluetoothd forget the keys that the device does not keep.
  func endPairing(_ client: BlueZClient, _ adapter: Adapter?) async {
    await agency?.end()
    agency = nil
    guard let adapter else { return }
    for central in unkept.inAddressOrder { await client.forget(central, of: adapter) }
    unkept = []
  }

  /// bluetoothd sets it itself when it gets an agent.
  private func setPairing() async {
    guard let policy, let client, let adapter = registrar?.state.adapter else { return }
    await setPairing(AdapterSettings.Pairing(isAllowed: policy.isAllowed, timeout: 0), client, adapter)
  }

  private func setPairing(
    _ pairing: AdapterSettings.Pairing?, _ client: BlueZClient, _ adapter: Adapter
  ) async {
    guard let pairing else { return }
    do throws(DBusError) { try await client.set(pairing, adapter) } catch {
      host?.warn("cannot set whether \(adapter.name) pairs: \(error.message)")
    }
  }

  private func answer(_ question: PairingQuestion, from central: Central) -> PairingAnswer {
    client?.gate.letMessagesPass()
    guard let policy, isCentral(central) else { return refuse(central) }
    links[central]?.hasAsked = true
    let answer: PairingAnswer
    do throws(PairingFailure) { answer = try policy.answer(to: question) } catch {
      if error == .passkeyEntryFailed { host?.warn(PairingPolicy.noPasskey(for: central)) }
      tell(.pairingFailed(central, error))
      if let cause = policy.cause(of: error) { host?.warn(PairingPolicy.refusal(of: central, cause)) }
      return .no
    }
    switch question {
    case .show(let passkey, entered: _), .compare(let passkey):
      if pairings.shows(passkey, central) { show(passkey, central) }
    case .passkey, .pair, .use: break
    }
    return answer
  }

  private func show(_ passkey: UInt32, _ central: Central) {
    tell(.passkeyShown(central, passkey))
    guard let client, let adapter = registrar?.state.adapter else { return }
    EventLoop.start { [weak self] in
      if await client.isPaired(central, with: adapter) { self?.pairings.isPairedAlready(central) }
    }
  }

  /// Whether a device below the adapter is a central of this device.
  ///
  /// bluetoothd asks the default agent also about a device that a program of this machine connects to, such as a mouse,
  /// unless that program has an agent. The kernel knows which side began the link. bluetoothd may ask before it reports the
  /// connection.
  private func isCentral(_ central: Central) -> Bool {
    guard !centrals.isStranger(central), let controller = registrar?.state.adapter?.controller
    else { return false }
    let link = KernelLink(controller: controller, peer: LinkAddress(central, .public))
    guard link.isOutgoing != true else { return false }
    if centrals.isTelling { arrived(central) }
    return true
  }

  private func refuse(_ device: Central) -> PairingAnswer {
    host?.warn(
      "blemu refused to pair with \(device), which is not a central of this device: while it runs, blemu is bluetoothd's "
        + "default agent; to pair, use a program with its own agent, such as bluetoothctl")
    return .no
  }
}

// MARK: The outcome

extension BlueZTransport {
  func pairingChanged(_ central: Central, isPaired: Bool) {
    guard isPaired else { return pairings.forget(central) }
    guard centrals.contains(central) else { return }
    if policy?.bonds == false { unkept.insert(central) }
    for event in pairings.paired(central) { tell(event) }
  }

  func bondChanged(_ central: Central, isBonded: Bool) {
    guard isBonded, policy?.bonds != false, centrals.contains(central) else { return }
    for event in pairings.bonded(central) { tell(event) }
  }

  /// The central has paired or failed to pair, so it needs no passkey any more.
  private func pairingEnded() {
    guard let client, let adapter = registrar?.state.adapter else { return }
    for central in pairings.awaited {
      EventLoop.start { [weak self] in
        guard await !client.isPaired(central, with: adapter) else { return }
        self?.pairingFailed(central)
      }
    }
  }

  private func pairingFailed(_ central: Central) {
    for event in pairings.failed(central) { tell(event) }
  }

  /// A central has left.
  func forgetPairing(with central: Central) {
    pairingFailed(central)
    pairings.forget(central)
    guard let client, let adapter = registrar?.state.adapter, unkept.remove(central) != nil else { return }
    EventLoop.start { await client.forget(central, of: adapter) }
  }

  /// bluetoothd keeps the bonds, and knows centrals of other programs that are nobody else's to forget.
  package func forget(_ central: Central?) {
    host?.warn(
      "with bluez, bluetoothd keeps the bonds, and the device cannot forget them; 'bluetoothctl remove "
        + "\(central?.description ?? "ADDRESS")' forgets one, and a device with '--on exact' forgets by itself"
    )
  }

  private func tell(_ event: Event) {
    if centrals.isTelling { host?.receive(event) }
  }
}
