import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import HCIPackets
import Host
import Kernel
import Peripheral
import SecurityManager

/// Puts a device on the air with blemu's own host on a controller, without the kernel's Bluetooth.
@EventLoop
package final class HostTransport: RadioTransport, ServerTransport {
  package let limits: any TransportLimits = ExactLimits()
  private let source: ControllerSource
  /// Whether the device needs its controller.
  private var isOpen = false
  package let server = GATTServer()
  /// nil: it has no controller.
  private var sharedHost: SharedHost?
  /// Waits for the advertising to begin; nil, or why it does not.
  private var goingOnAir: Promise<AdapterFinding?>?
  private var leaving: Promise<Void>?
  /// Connects again after the controller has gone.
  private var returning: Task<Void, Never>?
  /// The links to centrals.
  private var links: [AcceptedLink] = []
  /// Those that have begun before the device started; nil: it has.
  private var early: [AcceptedLink]? = []
  /// What the device advertises; nil: nothing.
  package private(set) var advertised: Advertisement?
  /// The addresses with which its sets advertise, or advertised last, by their numbers; nil: the controller's.
  private var setAddresses: [SetAddress?] = []
  /// Ends the advertisement.
  private var timeout: EventLoop.Timer?
  /// Of a crowd that takes turns.
  private var turns: CrowdTurns?
  /// How often centrals have failed to authenticate themselves.
  private var failedPeers = FailedPeers()

  /// How long a controller may take to advertise.
  private static let patience = Duration.seconds(10)
  /// How long links may take to end when the device leaves the air.
  private static let linkPatience = Duration.seconds(3)
  /// How long to wait before the next attempt to reach a controller that has gone.
  private static let pause = Duration.seconds(1)

  package convenience init(_ place: ControllerPlace) { self.init(.place(place)) }

  /// Takes an adapter from the kernel while the device is on the air.
  ///
  /// - Parameter endsOtherUse: whether it takes the adapter although other programs have connections or advertisements on it.
  package convenience init(_ choice: AdapterChoice, endsOtherUse: Bool = false) {
    self.init(.adapter(.shared(choice, endsOtherUse: endsOtherUse)))
  }

  package convenience init(_ controller: ImitatedController) { self.init(.imitation(controller)) }

  private init(_ source: ControllerSource) {
    self.source = source
    server.disconnect = { [weak self] in self?.disconnect($0.central, .remoteUserTerminated) }
    server.onBonds = { [weak self] in self?.updateAccepted() }
  }
}

// MARK: On the air and off

extension HostTransport {
  package func open() async throws -> LocalAdapter {
    source.begin()
    isOpen = true
    do throws(TransportError) { sharedHost = try await SharedHost.join(source, self) } catch {
      isOpen = false
      _ = await source.end()
      throw error
    }
    return LocalAdapter(name: source.name, address: address, stack: source.stack)
  }

  package func goOnAir(_ device: DeviceOnAir) async throws {
    try checkLimits(of: device)
    server.start(device)
    server.hasKey = { !$0.longTermKeys.isEmpty }
    recorder?.begin(device, on: address)
    for warning in source.warnings { host?.warn(warning) }
    do throws(AdapterFinding) { try await startAdvertising(device.advertisement) } catch {
      await leaveAir()
      throw TransportError(error)
    }
  }

  /// Returns once the controller has begun.
  private func startAdvertising(_ advertisement: Advertisement?) async throws(AdapterFinding) {
    guard let advertisement else { return }
    if let finding = finding(about: sets(of: advertisement), of: advertisement) { throw finding }
    let promise = Promise<AdapterFinding?>()
    goingOnAir = promise
    advertise(advertisement)
    let limit = EventLoop.after(Self.patience) { [source] in
      promise.fulfil(.doesNotAdvertise(source.name, reason: "the controller does not answer"))
    }
    let finding = await promise.value()
    limit.cancel()
    goingOnAir = nil
    if let finding { throw finding }
  }

  package func leaveAir() async {
    guard isOpen else { return }
    isOpen = false
    returning?.cancel()
    await returning?.value
    returning = nil
    advertise(nil)
    await endAllLinks()
    await sharedHost?.leave(self)
    sharedHost = nil
    if let problem = await source.end() { host?.warn(problem) }
    server.stop()
    early = []
  }

  private func comeBack() async {
    while !Task.isCancelled, sharedHost == nil, server.device != nil {
      await EventLoop.pause(Self.pause)
      guard !Task.isCancelled, let joined = try? await SharedHost.join(source, self) else { continue }
      sharedHost = joined
      if Task.isCancelled { continue }
      _ = joined.choose(among: [server.device?.ownAddress ?? address], for: self)
      advertise(advertised)
      host?.cameBackOnAir()
    }
  }
}

// MARK: Advertising

extension HostTransport {
  package func advertise(_ advertisement: Advertisement?) {
    let sets = advertisement.map(sets(of:)) ?? []
    if advertisement?.isCrowd != true { turns = nil }
    if let advertisement, let finding = finding(about: sets, of: advertisement) {
      return host?.warn(finding.message) ?? ()
    }
    timeout = advertisement?.timeout.map { limit in
      EventLoop.after(limit) { [weak self] in self?.advertise(nil) }
    }
    advertised = advertisement
    if let advertisement { setAddresses = advertisement.allSets.map(\.address) }
    recorder?.advertise(advertisement)
    sharedHost?.advertise(sets, accepting: acceptedPeers, of: self)
  }

  /// A bond has come or gone.
  private func updateAccepted() {
    guard let advertised, advertised.accepted != .all else { return }
    sharedHost?.advertise(sets(of: advertised), accepting: acceptedPeers, of: self)
  }

  /// The centrals that may connect, if not all may. A random identity address is a static one.
  private var acceptedPeers: [AcceptedPeer] {
    guard case .only(let addresses, let andBonded)? = advertised?.accepted else { return [] }
    let bonds = server.bonds.filter { andBonded || addresses.contains($0.peer.address) }
    let others = addresses.filter { address in !bonds.contains { $0.peer.address == address } }
    return bonds.map { AcceptedPeer($0.peer, key: $0.identityResolvingKey) }
      + others.map { AcceptedPeer(LinkAddress($0)) }
      + others.filter { $0.bytes[0] >> 6 == 0b11 }.map { AcceptedPeer(LinkAddress($0, .random)) }
  }

  /// Whether a central may connect. A controller without room for all in its lists lets every central connect.
  private func accepts(_ peer: LinkAddress) -> Bool {
    let isBonded = server.bonds.contains { $0.peer == peer }
    return advertised?.accepted.contain(peer.address, isBonded: isBonded) ?? true
  }

  /// The advertising sets; the main one has the number 0. Of a crowd, those that have their turn.
  private func sets(of advertisement: Advertisement) -> [AdvertisingSet] {
    let ownAddress = controllerAddress.kind == .public ? nil : address
    let sets = advertisement.allSets.enumerated().filter(\.element.isShown).map { number, set in
      var set = set
      if let target = set.target {
        set.target = server.bonds.first { $0.peer.address == target.address }?.peer ?? target
      }
      var new = AdvertisingSet(
        set.withoutFurtherSets, ExactLayout(set).packets, handle: UInt8(truncatingIfNeeded: number),
        number: number, ownAddress: ownAddress)
      new.parameters.isFiltered = advertisement.accepted != .all && set.isConnectable
      return new
    }
    guard advertisement.isCrowd, let sharedHost else { return sets }
    let room = sharedHost.room(for: self)
    if let turns, turns.change(sets, room: room) { return turns.current }
    let turns = CrowdTurns(sets, room: room) { [weak self] in
      guard let self, let turns = self.turns else { return }
      self.sharedHost?.advertise(turns.current, accepting: acceptedPeers, of: self)
    }
    self.turns = turns
    return turns.current
  }

  /// What the controller cannot advertise.
  private func finding(about sets: [AdvertisingSet], of advertisement: Advertisement) -> AdapterFinding? {
    guard let fact = sharedHost?.problem(with: sets, of: self) else { return nil }
    let name = source.name
    switch fact {
    case .tooManySets: return .noAdvertisingSet(name)
    case .noExtendedAdvertising: return .noExtendedAdvertising(name, needed: advertisement.extendedKeys)
    case .phy(let phy): return .noPHY(name, phy)
    case .data(let size, let most), .scanResponse(let size, let most):
      return .advertisingDataTooLong(name, size: size, capacity: most)
    default: return .setRefused(name, reason: "\(fact)")
    }
  }
}

// MARK: Addresses

extension HostTransport {
  /// The address of a device without one of its own: the controller's or, if it has none, one derived from its place.
  private var address: DeviceAddress {
    guard let address = sharedHost?.abilities?.address else { return DeviceAddress([0, 0, 0, 0, 0, 0])! }
    return address.isZero ? OwnAddress.derived.address(of: source.name, on: address) : address
  }

  /// Likewise, with its kind.
  private var controllerAddress: LinkAddress {
    LinkAddress(address, sharedHost?.abilities?.address.isZero == false ? .public : .random)
  }

  package var hostAddress: LinkAddress? { controllerAddress }

  /// Only one device has the controller's address. A second device of the same definition has other derived addresses.
  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    guard sharedHost != nil else { return AddressBasis() }
    switch definition.advertisement.address?.identity {
    case .given(let address): _ = choose(among: [address])
    case .adapter: _ = choose(among: [adapter])
    case .derived: return AddressBasis(number: number(of: definition, on: adapter))
    case nil:
      guard definition.advertisement.address == nil, choose(among: [adapter]) == nil else { break }
      return AddressBasis(number: number(of: definition, on: adapter), hasAdapter: false)
    }
    return AddressBasis()
  }

  private func choose(among addresses: [DeviceAddress]) -> DeviceAddress? {
    sharedHost?.choose(among: addresses, for: self)
  }

  /// The first whose derived address no other device has.
  private func number(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> Int {
    (1...Int.max).first { number in
      let name = AddressBasis(number: number).name(of: definition.name)
      return choose(among: [OwnAddress.derived.address(of: name, on: adapter)]) != nil
    } ?? 1
  }
}

// MARK: At the host

extension HostTransport: HostSeat {
  func connected(_ link: HostLink, by set: Int?) -> (any SeatedLink)? {
    guard let sharedHost else { return nil }
    let new = AcceptedLink(link, at: sharedHost, server, of: self, beside: links)
    guard accepts(new.peer) else {
      host?.warn("\(new.central) may not connect; disconnecting it")
      return nil
    }
    // A central that is back before its old link has been given up.
    for old in links where old.peer == new.peer { old.disconnect(.remoteUserTerminated) }
    links.append(new)
    new.secure(ownIdentity(on: link, of: set), failedPeers.attempts(of: new.peer))
    if early == nil { new.serve() } else { early?.append(new) }
    return new
  }

  /// What the device tells a bonded central of itself: with a resolvable private address, its key and its identity address.
  private func ownIdentity(on link: HostLink, of set: Int?) -> SecuredLink.Identity {
    guard let set, setAddresses.indices.contains(set),
      let identity = setAddresses[set]?.identity
    else { return SecuredLink.Identity(address: link.local) }
    return SecuredLink.Identity(
      address: identity.address.map { LinkAddress($0, .random) } ?? controllerAddress,
      resolvingKey: identity.resolvingKey)
  }

  func take(_ event: RadioEvent) {
    if case .advertisingBegan(let number) = event { turns?.began(Int(number)) }
    switch event {
    case .advertisingBegan(0): goingOnAir?.fulfil(nil)
    case .refused(.acceptList, _, _), .refused(.resolvingList, _, _): break  // see accepts(_:)
    case .refused(_, let command, let error):
      let reason = "the controller refused '\(command.opcode)': \(error)"
      let finding = AdapterFinding.doesNotAdvertise(source.name, reason: reason)
      if let goingOnAir { goingOnAir.fulfil(finding) } else { host?.warn(finding.message) }
    default: break
    }
  }

  func heard(_ report: AdvertisingReport) {}

  func recovers(from error: TransportError) {
    host?.warn("\(error.message): blemu resets the controller, which ends all links")
  }

  func lost(_ error: TransportError) {
    sharedHost = nil
    for link in links { link.ended(nil) }
    let reason = error.message
    if let goingOnAir { return goingOnAir.fulfil(.doesNotAdvertise(source.name, reason: reason)) }
    guard server.device != nil else { return }
    recorder?.advertise(nil)
    host?.fellOffAir(reason)
    returning = EventLoop.start { [weak self] in await self?.comeBack() }
  }
}

// MARK: Links

extension HostTransport {
  package func watchCentrals() {
    let waiting = early ?? []
    early = nil
    for link in waiting { link.serve() }
  }

  package func disconnect(_ central: Central?, _ reason: HCIError) {
    for link in links where central == nil || link.central == central { link.disconnect(reason) }
  }

  /// Resets the controller: nothing else ends a link without telling the central. So all links on it end.
  package func loseLink(of central: Central?) {
    guard links.contains(where: { central == nil || $0.central == central }) else { return }
    sharedHost?.change { $0.loseLinks() }
  }

  package func ask(for change: LinkChange, of central: Central?) {
    for link in links where central == nil || link.central == central { link.ask(for: change) }
  }

  package func move(to path: RadioPath) -> Bool {
    var isMoved = false
    sharedHost?.change { isMoved = $0.move(to: path) }
    return isMoved
  }

  /// A link has ended.
  func forget(_ link: AcceptedLink) {
    early?.removeAll { $0 === link }
    links.removeAll { $0 === link }
    if links.isEmpty { leaving?.fulfil() }
  }

  /// Returns when all links have ended, or after a while.
  private func endAllLinks() async {
    guard !links.isEmpty else { return }
    let promise = Promise<Void>()
    leaving = promise
    disconnect(nil, .remoteUserTerminated)
    let limit = EventLoop.after(Self.linkPatience) { promise.fulfil() }
    await promise.value()
    limit.cancel()
    leaving = nil
    for link in links {
      sharedHost?.drop(link.handle)
      link.ended(.localHost)
    }
  }

  package var isPairing: Bool { links.contains(where: \.isPairing) }

  package func pair(_ policy: PairingPolicy?) {
    server.pair(policy)
    for link in links { link.pair(policy ?? PairingPolicy()) }
  }

  /// A central has failed to authenticate itself, or has succeeded.
  func keep(_ attempts: RepeatedAttempts, of peer: LinkAddress) { failedPeers.keep(attempts, of: peer) }

  package func forget(_ central: Central?) {
    let forgotten = Set(server.forget(central).map(\.central))
    for link in links where forgotten.contains(link.central) { link.forgetKeys() }
  }
}

// MARK: Attributes

extension HostTransport {
  /// The attributes of the definition that are served; nil: none.
  package var table: AttributeTable? { server.device?.table }

  package var hasFlowControl: Bool { true }

  package func holdResponses(_ isHolding: Bool) { server.isHoldingResponses = isHolding }
}
