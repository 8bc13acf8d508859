import Behavior
import Bluetooth
import DBus
import EventLoop
import GATTServer
import L2CAP
import Management
import PairingAgent

/// Pairs centrals in the way of the device, and reports the outcome.
///
/// The kernel pairs, and asks every program with a management socket what it needs to know; the first answer counts.
/// bluetoothd answers at once, with no unless it has an agent. So beside bluetoothd only its agent answers, which is this
/// device's; without bluetoothd this program answers the kernel.
@EventLoop
final class PairingDesk {
  let server: GATTServer
  let watch: LinkWatch
  let keeper: AdapterKeeper
  /// nil: the system pairs, and this only reports the outcome.
  private(set) var policy: PairingPolicy? { didSet { hearPairing() } }
  /// Whether it has had a policy.
  private var hasPaired = false
  private var agency: PairingAgency?
  /// What the agency knew when it ended.
  private var wasBesideBluetoothd = false
  /// Whether bluetoothd ran when the kernel was last given keys; nil: it has not been.
  private var loadedBesideBluetoothd: Bool?
  /// The change of policy that is under way.
  private var change: Task<Void, Never>?
  private var progress: [Central: PairingProgress] = [:]
  /// The addresses of the links to centrals that have another address, their identity.
  private var resolved: [LinkAddress: LinkAddress] = [:]
  /// The centrals whose links end because they do not pair as the device asks.
  private var refused: Set<Central> = []
  private var identityKeys: [LinkAddress: [UInt8]] = [:]
  /// Those whose keys the kernel forgets at the end of the link.
  private var unkept: Set<LinkAddress> = []
  /// What has been reported of each link.
  private var told: [Central: LinkSecurity] = [:]
  private let warn: @EventLoop (String) -> Void

  init(
    _ server: GATTServer, _ watch: LinkWatch, on keeper: AdapterKeeper, policy: PairingPolicy?,
    warn: @escaping @EventLoop (String) -> Void
  ) {
    (self.server, self.watch, self.keeper, self.policy, self.warn) = (server, watch, keeper, policy, warn)
    keeper.onDevice = { [weak self] in self?.take($0) }
    watch.onEncryption = { [weak self] in self?.lookAtLinks() }
    watch.onPairingRequest = { [weak self] link, isSecure in
      if !isSecure { self?.refuseLegacy(link) }
    }
    hearPairing()
    keeper.onReturn = { [weak self] in
      if let self { await load(server.bonds) }
    }
    server.hasKey = { [weak self] in self?.hasKey(of: $0) ?? true }
  }

  /// Prepares the adapter for centrals. ``AdapterKeeper/goOnAir(_:as:)`` comes next.
  func begin(_ bonds: [Bond]) async {
    keeper.pair(policy.map(PairingSettings.init))
    await updateAgency()
    await load(bonds)
  }

  /// Pairs in another way from now on.
  ///
  /// - Parameter putBack: called if that is as the system is set up.
  func change(to policy: PairingPolicy?, putBack: @escaping @EventLoop @Sendable () async -> Void) {
    let hadPolicy = self.policy != nil
    self.policy = policy
    keeper.pair(policy.map(PairingSettings.init))
    let earlier = change
    change = EventLoop.start { [weak self] in
      await earlier?.value
      guard let self else { return }
      await updateAgency()
      if self.policy == nil { await putBack() } else if !hadPolicy { await load(server.bonds) }
    }
  }

  /// bluetoothd, which has just started or ended, has set how the adapter pairs, and which keys the kernel has.
  private func bluetoothdChanged() {
    keeper.pair(policy.map(PairingSettings.init))
    guard let loaded = loadedBesideBluetoothd, loaded != isBesideBluetoothd else { return }
    EventLoop.start { [weak self] in
      if let self { await load(server.bonds) }
    }
  }

  /// Gives the kernel the keys of bonded centrals, or says that there are none: only then does it ask centrals for the key that
  /// resolves their private addresses (HCI_RPA_RESOLVING of net/bluetooth/smp.c).
  private func load(_ bonds: [Bond]) async {
    let bonds = bonds.filter { !$0.longTermKeys.isEmpty }
    guard policy != nil else { return }
    hasPaired = true
    loadedBesideBluetoothd = isBesideBluetoothd
    guard !isBesideBluetoothd else {
      guard !bonds.isEmpty else { return }
      let centrals = bonds.map { "\($0.peer)" }.joined(separator: ", ")
      return warn(
        "bluetoothd has its own keys, but not those of \(centrals), which must pair again while it runs")
    }
    do throws(ManagementError) {
      try await keeper.management.load(bonds, on: keeper.controller.index)
    } catch {
      warn("cannot load the keys of bonded centrals: \(error.message); they must pair again")
    }
  }

  /// Removes the keys of bonds from the kernel, and from bluetoothd, which hears of it (bluez: doc/mgmt-api.txt, Device
  /// Unpaired Event). The adapter has to be on.
  func forget(_ bonds: [Bond]) async {
    for bond in bonds {
      do throws(ManagementError) {
        try await keeper.management.unpair(bond.peer, disconnecting: true, on: keeper.controller.index)
      } catch {
        if case .refused(_, .notPaired) = error { continue }
        warn("cannot remove the keys of \(bond.peer) from the kernel: \(error.message)")
      }
    }
  }

  /// Unregisters the agent, and removes the keys that are not the system's.
  func end() async {
    await change?.value
    for peer in unkept { await unpair(peer, disconnecting: false) }
    unkept = []
    if hasPaired, !isBesideBluetoothd {
      for bond in server.bonds where !bond.longTermKeys.isEmpty {
        await unpair(bond.peer, disconnecting: false)
      }
    }
    await agency?.end()
    agency = nil
  }

  /// bluetoothd has its own keys, and does not take those that are kept here. Where the system pairs, it has them all.
  private func hasKey(of bond: Bond) -> Bool {
    bond.longTermKeys.isEmpty == (policy == nil || isBesideBluetoothd)
  }

  var isBesideBluetoothd: Bool { agency?.isBesideBluetoothd ?? wasBesideBluetoothd }

  private func updateAgency() async {
    guard let policy else {
      wasBesideBluetoothd = isBesideBluetoothd
      await agency?.end()
      return agency = nil
    }
    if agency == nil {
      agency = await PairingAgency.open(for: ObjectPath(adapter: keeper.controller)) { [weak self] in
        self?.answerBluetoothd($1, about: $0) ?? .no
      } onChange: { [weak self] in
        self?.bluetoothdChanged()
      } warn: { [weak self] in
        self?.warn($0)
      }
    }
    await agency?.register(policy.agentCapability)
  }
}

// MARK: What the kernel tells

extension PairingDesk {
  private func take(_ event: ManagementEvent.Kind) {
    switch event {
    case .userConfirmationRequest(let peer, let isHint, let value): confirm(peer, isHint ? nil : value)
    case .userPasskeyRequest(let peer): enterPasskey(for: peer)
    case .passkeyNotify(let peer, let passkey, _): show(passkey, for: peer.address)
    case .newIdentityResolvingKey(let key, let address):
      identityKeys[key.peer] = key.key
      if let address { resolved[key.peer] = address }
    case .newLongTermKey(let key):
      watch.catchUp()  // the controller has told of the request for it
      paired(key)
    case .authenticationFailed(let peer, _): failed(peer)
    case .deviceDisconnected(let peer, _): disconnected(peer)
    default: break
    }
  }

  /// - Parameter number: to compare; nil: there is none.
  private func confirm(_ peer: LinkAddress, _ number: UInt32?) {
    guard isServed(peer.address) else { return }
    if let number { show(number, for: peer.address) }
    let answer = answer(number.map { .compare($0) } ?? .pair, from: peer.address)
    reply { management, index throws(ManagementError) in
      try await management.confirm(answer == .yes, for: peer, on: index)
    }
  }

  private func enterPasskey(for peer: LinkAddress) {
    guard isServed(peer.address) else { return }
    let answer = answer(.passkey, from: peer.address)
    let passkey: UInt32? = if case .enter(let passkey) = answer { passkey } else { nil }
    reply { management, index throws(ManagementError) in
      try await management.enter(passkey: passkey, for: peer, on: index)
    }
  }

  /// Answers the kernel, unless bluetoothd does. A central that has gone needs no answer.
  private func reply(
    _ body: @escaping @EventLoop @Sendable (ManagementSocket, UInt16) async throws(ManagementError) -> Void
  ) {
    guard policy != nil, agency?.isRegistered != true else { return }
    let (management, index) = (keeper.management, keeper.controller.index)
    EventLoop.start { try? await body(management, index) }
  }

  /// The kernel reports a passkey again for each digit that is entered.
  private func show(_ passkey: UInt32, for central: Central) {
    guard isServed(central), progress[central]?.shown != passkey else { return }
    progress[central, default: PairingProgress()].shown = passkey
    server.showPasskey(passkey, for: central)
  }

  private func failed(_ peer: LinkAddress) {
    let central = peer.address
    guard isServed(central), !refused.contains(central) else { return }
    let progress = progress.removeValue(forKey: central) ?? PairingProgress()
    let isRefused = policy?.isAllowed == false
    let failure = isRefused ? .pairingNotSupported : progress.refusal ?? .unknown
    server.pairingFailed(central, failure)
    if failure == .unknown, !progress.wasAsked, agency?.isRegistered == true { dropLostKeys(of: peer) }
  }

  /// bluetoothd has refused without asking, as it does where it has keys of an earlier pairing: removes them, if there are any.
  private func dropLostKeys(of peer: LinkAddress) {
    let (management, index) = (keeper.management, keeper.controller.index)
    EventLoop.start { [weak self] in
      guard (try? await management.unpair(peer, disconnecting: true, on: index)) != nil else { return }
      self?.warn(PairingPolicy.lostKeys(of: peer.address, areRemoved: true))
    }
  }

  private func disconnected(_ peer: LinkAddress) {
    guard unkept.remove(peer) != nil else { return }
    EventLoop.start { [weak self] in await self?.unpair(peer, disconnecting: false) }
  }

  /// Whether a central is one of this device's.
  private func isServed(_ central: Central) -> Bool {
    if server[central] == nil { keeper.acceptWaiting() }
    return server[central] != nil
  }
}

// MARK: Links

extension PairingDesk {
  /// A central has connected. What is known of an earlier link from its address ends here: the kernel may have reported its end
  /// by another address, the central's identity.
  func began(_ link: ServedLink) {
    progress[link.central] = nil
    told[link.central] = nil
    refused.remove(link.central)
    guard let policy, policy.isAllowed, policy.requestsSecurity else { return }
    KernelLink(controller: keeper.controller, peer: link.peer)
      .requestSecurity(authenticated: policy.capability != .noInputNoOutput)
  }

  /// Reports the links whose security has changed.
  private func lookAtLinks() {
    for link in server.links where told[link.central] ?? .none != link.security {
      told[link.central] = link.security
      if link.security.isEncrypted { server.securityChanged(of: link.central, to: link.security) }
    }
  }
}

// MARK: Refusing

extension PairingDesk {
  private func hearPairing() { watch.hearsPairing = policy?.secureConnections == .required }

  /// Ends the link to a central that wants to pair by LE legacy pairing. The kernel itself would pair: its Secure Connections
  /// Only mode ends each encrypted LE link, because it looks for a BR/EDR key (hci_conn_check_link_mode of
  /// net/bluetooth/hci_conn.c).
  private func refuseLegacy(_ watched: WatchedLink) {
    if watched.central == nil { keeper.acceptWaiting() }
    guard let central = watched.central, let link = server[central], policy?.isAllowed == true else { return }
    refuse(central, .authenticationRequirements)
    _ = KernelLink(controller: keeper.controller, peer: link.peer).disconnect(.authenticationFailure)
  }

  /// Removes the keys of a central, and ends the link.
  private func drop(_ peer: LinkAddress) {
    EventLoop.start { [weak self] in await self?.unpair(peer, disconnecting: true) }
  }

  /// Reports once that a central does not pair as the device asks.
  private func refuse(_ central: Central, _ reason: PairingFailure) {
    guard refused.insert(central).inserted else { return }
    progress[central] = nil
    server.pairingFailed(central, reason)
  }

  private func isTooShort(_ key: LongTermKey) -> Bool {
    policy.map { key.size < $0.minimumKeySize } ?? false
  }
}

// MARK: The device's answers

extension PairingDesk {
  private func answerBluetoothd(_ question: PairingQuestion, about central: Central) -> PairingAnswer {
    guard isServed(central) else { return .no }
    progress[central, default: PairingProgress()].wasAsked = true
    return answer(question, from: central)
  }

  private func answer(_ question: PairingQuestion, from central: Central) -> PairingAnswer {
    guard let policy, isServed(central) else { return .no }
    do throws(PairingFailure) {
      return try policy.answer(to: question)
    } catch {
      if error == .passkeyEntryFailed { warn(PairingPolicy.noPasskey(for: central)) }
      progress[central, default: PairingProgress()].refusal = error
      return .no
    }
  }
}

// MARK: Keys

extension PairingDesk {
  /// LE legacy pairing gives two keys, the second of which completes the bond.
  private func paired(_ new: PairingKey<LongTermKey>) {
    let central = (resolved[new.peer] ?? new.peer).address
    guard isServed(central) else { return }
    if isTooShort(new.key) { refuse(central, .encryptionKeySize) }
    if refused.contains(central) { return drop(new.peer) }
    let keeps = new.isKept && policy?.bonds != false
    if !keeps { unkept.insert(new.peer) }
    let bond = keeps ? bond(new) : nil
    if progress.removeValue(forKey: central)?.refusal == nil, !isSecondKey(new) {
      server.paired(central, bond: bond)
    } else if let bond {
      server.change(bond)
    }
  }

  private func isSecondKey(_ new: PairingKey<LongTermKey>) -> Bool {
    new.key.kind < 2 && !new.key.isOfCentral
  }

  /// bluetoothd keeps the keys itself.
  private func bond(_ new: PairingKey<LongTermKey>) -> Bond {
    guard policy != nil, !isBesideBluetoothd else { return Bond(with: new.peer) }
    var bond = Bond(
      with: new.peer, longTermKeys: [new.key], identityResolvingKey: identityKeys[new.peer])
    if isSecondKey(new), let first = server.bonds.first(where: { $0.peer == new.peer }) {
      bond.longTermKeys = first.longTermKeys.filter { $0.isOfCentral } + [new.key]
    }
    return bond
  }

  private func unpair(_ peer: LinkAddress, disconnecting: Bool) async {
    try? await keeper.management.unpair(peer, disconnecting: disconnecting, on: keeper.controller.index)
  }
}
