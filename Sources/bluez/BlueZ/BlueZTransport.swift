import Behavior
import BlueZLimits
import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Kernel
import Peripheral
import System

/// A peripheral on an adapter of BlueZ, controlled over D-Bus.
///
/// Its states are the cases of ``RegistrationState``. ``RegistrationStateMachine`` decides the transitions:
///
///     closed      → opened
///     opened      → registering, closed
///     registering → onAir, takingBack, waiting, opened, leaving, closed
///     onAir       → switchedOff, takingBack, waiting, leaving
///     switchedOff → registering, onAir, waiting, leaving
///     takingBack  → registering, waiting, opened, leaving
///     waiting     → registering, closed
///     leaving     → closed
///
/// A response is sent before the values that its request causes. bluetoothd reads the two from different places
/// (the bus and the notification sockets), so a value may overtake the response on the air.
@EventLoop
package final class BlueZTransport: RadioTransport, TransportValues {
  package weak var host: (any TransportHost)?
  /// nil: before ``open()``, and from the beginning of ``leaveAir()`` on.
  private(set) var client: BlueZClient?
  private(set) lazy var pairing = DevicePairing(of: self)
  /// The adapter's settings before the device has changed them.
  private(set) var settings: AdapterSettings?
  /// Keeps other devices from the adapter, if none was named, until ``settings`` does.
  private var lock: LockedFile?
  private let choice: AdapterChoice
  private let bus: String
  private let scheduler: any Scheduler
  private let clock: any Scheduler
  private let records: String
  private let kernel: @EventLoop () -> [LocalController]
  private var registrar: Registrar?
  private var exported: ExportedDevice?
  private var centrals = ConnectedCentrals()
  private var links: [CentralLink] = []
  /// The identity addresses of centrals whose objects are named after private addresses.
  private var identities: [Central: LinkAddress] = [:]
  private let hearing = HeardLinks()
  private let pulse = ConnectionPulse()
  private let startGuard: GuardedLinks.Start
  private lazy var guarded = GuardedLinks(start: startGuard) { [weak self] in self?.host?.warn($0) }
  /// The last central, after it has disconnected and before its subscriptions have ended, and the limit for that.
  private var departure: (central: Central, limit: AnyObject)?
  /// Notices from before the host began to listen.
  private var earlyNotices: [RegistrationNotice] = []

  package convenience init(_ choice: AdapterChoice = .first) {
    self.init(
      choice, bus: DBusConnection.systemBusAddress, scheduler: EventLoopScheduler(),
      clock: EventLoopScheduler(), records: AdapterRecord.folder, kernel: { KernelAdapters.all })
  }

  /// - Parameters:
  ///   - bus: the address of bluetoothd's bus.
  ///   - scheduler: times the pause before a failed call is repeated.
  ///   - clock: measures how long bluetoothd does not answer.
  ///   - records: the folder of each ``AdapterRecord``.
  ///   - kernel: the adapters of the kernel.
  ///   - startGuard: starts what ends the links if this program is killed.
  init(
    _ choice: AdapterChoice, bus: String, scheduler: any Scheduler, clock: any Scheduler, records: String,
    kernel: @escaping @EventLoop () -> [LocalController],
    startGuard: @escaping GuardedLinks.Start = Guard.start
  ) {
    self.choice = choice
    self.bus = bus
    self.scheduler = scheduler
    self.clock = clock
    self.records = records
    self.kernel = kernel
    self.startGuard = startGuard
  }

  package func advertise(_ advertisement: Advertisement?) {
    if client != nil { registrar?.send(.advertise(advertisement?.withoutFurtherSets)) }
  }

  /// All attributes vanish and return with other handles, so all subscriptions end.
  package func serve(_ table: AttributeTable, toConnected: Bool) {
    if client != nil { registrar?.send(.serve(limits.served(table), toConnected: toConnected)) }
  }

  /// The advertisement that BlueZ sends for the device; nil: none.
  package var advertised: Advertisement? { registrar?.state.advertisement }

  package var limits: any TransportLimits { BlueZLimits { .installed } }

  private var application: GATTApplication? { exported?.application }

  /// The attributes that BlueZ serves for the device; nil: none.
  package var table: AttributeTable? { application?.table }

  /// The client and the adapter that the device uses; nil: none, or it is leaving the air.
  var inUse: (client: BlueZClient, adapter: Adapter)? {
    guard let client, let adapter = registrar?.state.adapter else { return nil }
    return (client, adapter)
  }
}

// MARK: Values

extension BlueZTransport {
  /// The device has the adapter's address.
  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    nil
  }

  package func mtu(of central: Central) -> Int? { application?.centrals.mtu(of: central) }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    application?.subscriptions.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    application?.subscriptions.send(value, from: characteristic, to: recipients) ?? .nobodySubscribed
  }

  package func canAddress(_ central: Central, from characteristic: Int) -> Bool {
    application?.subscriptions.canAddress(central, from: characteristic) ?? false
  }

  package func holdResponses(_ isHolding: Bool) { application?.heldResponses.isHolding = isHolding }

  /// Returns when bluetoothd has handled all earlier answers, or after 5 s.
  package func catchUp() async { await client?.catchUp() }
}

// MARK: On the air and off

extension BlueZTransport {
  package func open() async throws -> LocalAdapter {
    let client = try await BlueZClient.connect(to: bus)
    self.client = client
    let bluetoothd = try await choice.bluetoothd(of: client, kernel: kernel, in: records, scheduler) {
      host?.warn($0)
    }
    let (adapter, lock) = try choice.peripheral(of: bluetoothd.adapters, in: records, kernel: kernel())
    self.lock = lock
    let registrar = Registrar(client, scheduler, clock: clock) { [weak self] in
      self?.exported?.prepare(for: $0)
    } tell: { [weak self] in
      self?.take($0)
    }
    self.registrar = registrar
    registrar.send(.opened(bluetoothd: bluetoothd.name, adapter))
    return adapter.local
  }

  package func goOnAir(_ device: DeviceOnAir) async throws {
    guard let client, let registrar, let adapter = registrar.state.adapter else {
      preconditionFailure("open() comes before goOnAir(_:)")
    }
    try checkLimits(of: device)
    if await adapter.hasUnknownAddress() { throw TransportError(.staticAddressHidesBluetoothd(adapter.name)) }
    centrals = ConnectedCentrals(strangers: adapter.connectedCentrals)
    let settings = try AdapterSettings(
      of: adapter, pairs: device.definition.security != nil, in: records, locked: lock)
    lock = nil
    self.settings = settings
    if let warning = settings.warning { host?.warn(warning) }
    export(device.definition, client)
    try watch(adapter)
    if let controller = adapter.controller { hearing.follow(controller.index) }
    warnOfDeviceInformation(device.table, adapter)
    if let warning = HumanInterfaceDevice.warning(about: device.table, of: device.definition) {
      host?.warn(warning)
    }
    await pairing.begin(device.pairing)
    let request = RegistrationRequest(
      table: limits.served(device.table), advertisement: device.advertisement?.withoutFurtherSets,
      deviceName: device.deviceName)
    try await registrar.goOnAir(request)
  }

  package func leaveAir() async {
    guard let client else { return }
    self.client = nil
    let adapter = registrar?.state.adapter
    if let adapter { await endLinks(client, adapter) }
    await registrar?.leave()
    await pairing.end(client, adapter)
    client.stopWatching()
    application?.reset()
    hearing.stop()
    for central in centrals.all { left(central) }
    if let adapter, let problem = await settings?.putBack(adapter, client, pairing: pairing.hasPaired) {
      host?.warn(problem)
    }
    settings = nil
    if let lock, lock.read(atMost: 1).isEmpty { lock.remove() }
    lock = nil
    exported?.withdraw()
    client.close()
    await guarded.dismissGuard()
  }

  /// bluetoothd keeps the links when the device has gone. It takes 2 s to end them. No central comes meanwhile, and those that are
  /// connected find the device's attributes until then.
  private func endLinks(_ client: BlueZClient, _ adapter: Adapter) async {
    let own = ownCentrals
    guard !own.isEmpty else { return }
    registrar?.send(.advertise(nil))
    await end(own, client, adapter)
  }

  private func warnOfDeviceInformation(_ table: AttributeTable, _ adapter: Adapter) {
    guard adapter.hasDeviceInformation, BlueZLimits.hasDeviceInformation(table) else { return }
    host?.warn(
      "BlueZ serves its own Device Information (180A) before this device's; use --on exact, or "
        + "\(BlueZLimits.noDeviceID), \(BlueZLimits.costOfNoDeviceID), and restart bluetoothd"
    )
  }
}

// MARK: Objects on the bus

extension BlueZTransport {
  private func export(_ definition: PeripheralDefinition, _ client: BlueZClient) {
    exported = ExportedDevice(on: client.connection) { [weak self, unowned client] table in
      self?.makeApplication(definition, table, client)
    } onRelease: { [weak self] in
      self?.registrar?.send(.adaptersChanged)
    }
  }

  private func makeApplication(
    _ definition: PeripheralDefinition, _ table: AttributeTable, _ client: BlueZClient
  ) -> GATTApplication {
    let application = GATTApplication(
      definition, table, on: client,
      receive: { [weak self] in self?.receive($0, respond: $1) },
      sawCentral: { [weak self] in self?.arrived($0) },
      congestionChanged: { [weak self] in self?.host?.congestionChanged($0, of: $1) },
      warn: { [weak self] in self?.host?.warn($0) })
    application.subscriptions.onLastEnd = { [weak self] in self?.finishDeparture() }
    return application
  }

  private func receive(_ event: Event, respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
  }
}

// MARK: Changes while the device is on the air

extension BlueZTransport {
  /// Watches an adapter instead of the one before.
  private func watch(_ adapter: Adapter) throws(TransportError) {
    guard client?.watched != adapter.path else { return }
    try client?.watch(adapter.path) { [weak self] in self?.take($0) }
    pairing.follow(adapter)
  }

  private func take(_ change: BlueZClient.Change) {
    switch change {
    case .identity(let central, let identity): identified(central, identity)
    case .connection(_, isConnected: true) where !centrals.isTelling: break  // watchCentrals() will find it
    case .connection(let central, isConnected: true): arrived(central)
    case .connection(let central, isConnected: false): left(central)
    case .pairing(let central, isPaired: false): pairing.unpaired(central)
    case .pairing(let central, isPaired: true) where centrals.contains(central): pairing.paired(central)
    case .bond(let central, isBonded: true) where centrals.contains(central): pairing.bonded(central)
    case .pairing, .bond: break
    case .owner(let owner):
      if owner != registrar?.state.bluetoothd { centrals.forgetStrangers() }
      registrar?.send(.ownerChanged(owner))
      if owner == nil { warnOfCrash() }
    case .adapters: registrar?.send(.adaptersChanged)
    }
  }

  private func take(_ notice: RegistrationNotice) {
    switch notice {
    case .wentOnAir, .cannotGoOnAir, .left: break
    case .fellOffAir:
      application?.reset()
      for central in centrals.all { left(central) }
      tell(notice)
    case .cameBackOnAir:
      // The adapter may return under another name.
      if let adapter = registrar?.state.adapter { try? watch(adapter) }
      tell(notice)
    case .warning(let message): host?.warn(message)
    }
  }

  private func tell(_ notice: RegistrationNotice) {
    guard centrals.isTelling else { return earlyNotices.append(notice) }
    switch notice {
    case .fellOffAir(let reason): host?.fellOffAir(reason)
    case .cameBackOnAir: host?.cameBackOnAir()
    default: break
    }
  }

  /// bluetoothd does not say why it has stopped.
  private func warnOfCrash() {
    guard let version = BlueZVersion.installed, version == .crashesOnScansForServices else { return }
    host?.warn(
      "\(version) crashes when a program on this machine scans for the UUID of a service; if one did, let it scan for all "
        + "devices, or use BlueZ 5.88 (https://github.com/bluez/bluez/issues/2282)")
  }
}

// MARK: Centrals

extension BlueZTransport {
  package func watchCentrals() async {
    guard let client else { return }
    centrals.begin()
    for notice in earlyNotices { tell(notice) }
    earlyNotices = []
    let adapters = (try? await client.adapters()) ?? []
    guard self.client != nil, let address = registrar?.state.adapter?.address else { return }
    let adapter = adapters.first { $0.address == address }
    identities.merge(adapter?.identities ?? [:]) { $1 }
    let connected = adapter?.connectedCentrals ?? []
    for central in connected.inAddressOrder { arrived(central) }
  }

  /// bluetoothd gives a reason of its own: Remote User Terminated Connection.
  package func disconnect(_ central: Central?, _ reason: HCIError) {
    guard let (client, adapter) = inUse else { return }
    EventLoop.start { [self] in await end(central.map { [$0] } ?? centrals.all, client, adapter) }
  }

  private func end(_ ended: [Central], _ client: BlueZClient, _ adapter: Adapter) async {
    for central in ended { centralLink(to: central)?.noteEndByDevice() }
    await client.disconnect(ended, from: adapter) { [weak self] central in
      guard let self, centrals.contains(central) else { return }
      host?.warn("BlueZ refused to disconnect \(central)")
    }
  }

  private func arrived(_ central: Central) {
    finishDeparture()
    guard centrals.arrived(central) else { return }
    updateUse()
    if let identity = identities[central] { host?.receive(.identified(central, identity)) }
    host?.receive(.connected(central))
    links.append(CentralLink(to: central, heardLink(to: central), of: self))
    registrar?.send(.centralArrived)  // after the host, which may want no further central
  }

  /// bluetoothd has the identity address of a device, for good.
  private func identified(_ central: Central, _ identity: LinkAddress) {
    guard identities.updateValue(identity, forKey: central) != identity, centrals.contains(central) else {
      return
    }
    tell(.identified(central, identity))
  }

  /// bluetoothd may report that a central has disconnected before it ends the central's subscriptions. As in a
  /// device's own stack, the host learns that the last central has left only after its subscriptions have ended.
  private func left(_ central: Central) {
    guard centrals.left(central) else { return }
    hearing.catchUp()
    let link = centralLink(to: central)
    links.removeAll { $0.central == central }
    link?.ended()
    application?.centrals.forget(central)
    pairing.left(central)
    guard centrals.isEmpty, application?.subscriptions.isEmpty == false else { return tellLeft(central) }
    let limit = scheduler.schedule(at: scheduler.now.advanced(by: .seconds(2))) { [weak self] in
      self?.finishDeparture()
    }
    departure = (central, limit)
  }

  private func finishDeparture() {
    guard let (central, _) = departure else { return }
    departure = nil
    tellLeft(central)
  }

  private func tellLeft(_ central: Central) {
    host?.receive(.disconnected(central))
    updateUse()
  }

  /// The centrals whose links are the device's to end: this machine has not begun them.
  private var ownCentrals: [Central] { centrals.all.filter { kernelLink(to: $0)?.isOutgoing != true } }

  private func updateUse() {
    if let adapter = registrar?.state.adapter, client != nil { guarded.are(ownCentrals, of: adapter) }
    pulse.isBeating = !centrals.isEmpty
    registrar?.send(.useChanged(isInUse: !centrals.isEmpty))
  }
}

// MARK: Links

extension BlueZTransport {
  /// BlueZ does not report this, but the kernel does.
  package func isEncrypted(_ central: Central) -> Bool? { kernelLink(to: central)?.isEncrypted }

  private func centralLink(to central: Central) -> CentralLink? { links.first { $0.central == central } }

  private func kernelLink(to central: Central) -> KernelLink? {
    registrar?.state.adapter?.controller.map {
      KernelLink(controller: $0, peer: identities[central] ?? LinkAddress(central, .public))
    }
  }

  private func heardLink(to central: Central) -> HeardLink? {
    guard let controller = registrar?.state.adapter?.controller else { return nil }
    hearing.follow(controller.index)
    return kernelLink(to: central)?.handle.map { hearing.link($0) }
  }
}

// MARK: Pairing

extension BlueZTransport {
  package func pair(_ policy: PairingPolicy?) { pairing.change(to: policy) }

  /// bluetoothd keeps the bonds, and knows centrals of other programs that are nobody else's to forget.
  package func forget(_ central: Central?) {
    host?.warn(
      "with bluez, bluetoothd keeps the bonds, and the device cannot forget them; 'bluetoothctl remove "
        + "\(central?.description ?? "ADDRESS")' forgets one, and a device with '--on exact' forgets by itself"
    )
  }

  /// bluetoothd asks the device's agent about a device below the adapter. Returns whether that is a central of this device.
  ///
  /// bluetoothd asks the default agent also about a device that a program of this machine connects to, such as a mouse,
  /// unless that program has an agent. The kernel knows which side began the link. bluetoothd may ask before it reports the
  /// connection.
  func noteQuestion(about central: Central) -> Bool {
    guard !centrals.isStranger(central), let link = kernelLink(to: central), link.isOutgoing != true
    else { return false }
    if centrals.isTelling { arrived(central) }
    centralLink(to: central)?.noteQuestion()
    return true
  }

  /// Tells the host of the pairing with a central.
  func tell(_ event: Event) {
    if centrals.isTelling { host?.receive(event) }
  }
}
