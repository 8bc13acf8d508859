import Behavior
import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Peripheral

/// A peripheral on an adapter of BlueZ's, over D-Bus.
///
///     closed → opened → on the air ⇄ fallen off (no bluetoothd, no adapter, switched off) → closed
///
/// A response leaves before the values that its request causes. bluetoothd reads the two from different places, though
/// (the bus and the sockets of notifications), so on the air a value may overtake the response.
///
/// bluetoothd and adapters come and go while a device runs: whatever changes, ``reconcile()`` compares what
/// is with what should be, and registers anew where that helps.
@EventLoop
package final class BlueZTransport: Transport {
  package weak var host: (any TransportHost)?
  private let choice: AdapterChoice
  private var client: BlueZClient?
  private var adapter: Adapter?
  private var device: DeviceOnAir?
  /// What BlueZ advertises for us; nil: nothing.
  package private(set) var advertised: Advertisement?
  private var server: AttributeServer?
  private var record: AdapterRecord?
  /// What the adapter is to be put back to.
  private var original: AdapterRecord.Original?
  private var centrals: Set<Central> = [] {
    didSet { updatePulse() }
  }
  /// Turns the loop while centrals are there, see ``RequestPatience``.
  private var pulse: EventLoop.Timer?
  /// Connected before the device went on the air: somebody else's business.
  private var strangers: Set<Central> = []
  /// Whether the host has begun.
  private var tellsOfCentrals = false
  private var exported = Exports()
  private var isRegistered = false
  /// How many bluetoothds have stopped: what one has answered is nothing to the next.
  private var stops = 0
  private var isOnAir = false
  private var reconciliation: Task<Void, Never>?
  private var needsReconciling = false
  private var retry: EventLoop.Timer?
  /// How often in a row BlueZ has not taken what a rule has changed.
  private var failedRenewals = 0

  /// What lives as long as the registration.
  private struct Exports: ~Copyable {
    var tree: Registration?
    var advertisement: Registration?
  }

  package init(_ choice: AdapterChoice = .first) {
    self.choice = choice
  }

  package func open() async throws -> LocalAdapter {
    let client = try await BlueZClient.connect()
    self.client = client
    let adapter = try choice.peripheral(of: await client.adapters())
    self.adapter = adapter
    return adapter.local
  }

  package func mtu(of central: Central) -> Int? { server?.mtu(of: central) }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    server?.maximumValue(of: characteristic, to: recipients)
  }

  /// Returns when bluetoothd has taken all that it has been answered until now, or after 5 s.
  package func catchUp() async { await client?.catchUp() }

  package func holdResponses(_ isHolding: Bool) { server?.heldResponses.isHolding = isHolding }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    server?.send(value, from: characteristic, to: recipients) ?? .nobodySubscribed
  }
}

// MARK: On the air and off

extension BlueZTransport {
  package func goOnAir(_ device: DeviceOnAir) async throws {
    guard let client, let adapter else { preconditionFailure("open() comes before goOnAir(_:)") }
    self.device = device
    strangers = adapter.connectedCentrals
    try client.watch(adapter.path) { [weak self] in self?.take($0) }
    export(device, client)
    try note(adapter)
    warnOfDeviceInformation(device.table, adapter)
    try await prepare(adapter, client)
    try await register(adapter, client)
    isOnAir = true
  }

  package func watchCentrals() async {
    guard let client, let adapter else { return }
    tellsOfCentrals = true
    let adapters = (try? await client.adapters()) ?? []
    guard client.isWatching else { return }
    let connected = adapters.first { $0.path == adapter.path }?.connectedCentrals ?? []
    for central in connected.sorted(by: { $0.description < $1.description }) { arrived(central) }
    needReconciling()
  }

  package func leaveAir() async {
    guard let client else { return }
    isOnAir = false
    tellsOfCentrals = false
    client.stopWatching()
    await stopReconciling()
    if isRegistered, let adapter { await client.unregister(adapter.path) }
    isRegistered = false
    for central in centrals.sorted(by: { $0.description < $1.description }) { left(central) }
    server?.reset()
    await putBack()
    exported = Exports()
    client.close()
    self.client = nil
  }

  private func warnOfDeviceInformation(_ table: AttributeTable, _ adapter: Adapter) {
    guard adapter.hasDeviceInformation, table.services.contains(where: { $0.uuid == 0x180A }) else { return }
    host?.warn(
      "a central finds BlueZ's own Device Information (180A) before this device's; put 'DeviceID = false' under "
        + "[General] into /etc/bluetooth/main.conf and restart bluetoothd (sudo systemctl restart bluetooth)")
  }

  private func export(_ device: DeviceOnAir, _ client: BlueZClient) {
    exported.tree = nil
    server?.reset()
    let server = AttributeServer(
      device.definition, device.table, on: client,
      receive: { [weak self] in self?.receive($0, respond: $1) },
      sawCentral: { [weak self] in self?.arrived($0) },
      congestionChanged: { [weak self] in self?.host?.congestionChanged($0, of: $1) },
      warn: { [weak self] in self?.host?.warn($0) })
    client.onCall = { [weak server] in server?.letMessagesPass() }
    self.server = server
    exported.tree = client.connection.export(server.tree)
  }

  private func receive(_ event: Event, respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
  }

  private func register(_ adapter: Adapter, _ client: BlueZClient) async throws(TransportError) {
    if let device, device.table != server?.table { export(device, client) }
    let stopsBefore = stops
    try await client.registerApplication(adapter)
    advertised = nil
    do throws(TransportError) {
      try await advertise(on: adapter, client)
      guard stops == stopsBefore else { throw .bluetoothdStopped }
    } catch {
      await client.unregister(adapter.path)
      throw error
    }
    isRegistered = true
  }
}

// MARK: Advertising

extension BlueZTransport {
  package func advertise(_ advertisement: Advertisement?) {
    device?.advertisement = advertisement
    if let name = advertisement?.localName { device?.deviceName = name }
    needReconciling()
  }

  /// Makes BlueZ advertise what the device wants, if it does not yet.
  private func advertise(on adapter: Adapter, _ client: BlueZClient) async throws(TransportError) {
    guard let device, device.advertisement != advertised else { return }
    await withdrawAdvertisement(from: adapter, client)
    guard let advertisement = device.advertisement else { return }
    exported.advertisement = client.connection.export(
      ExportedObject(advertising: advertisement) { [weak self] in self?.needReconciling() })
    try await client.registerAdvertisement(adapter)
    advertised = advertisement
  }

  private func withdrawAdvertisement(from adapter: Adapter, _ client: BlueZClient) async {
    if advertised != nil { await client.unregisterAdvertisement(adapter.path) }
    advertised = nil
    exported.advertisement = nil
  }

  /// What a rule has changed while the device is on the air.
  private func renewAdvertisement(on adapter: Adapter, _ client: BlueZClient) async {
    do throws(TransportError) {
      try await prepare(adapter, client)
      try await advertise(on: adapter, client)
      failedRenewals = 0
    } catch {
      guard client.isWatching else { return }  // it is on the way off the air
      if error.kind == .invalid { device?.advertisement = nil } else { tryToRenewLater() }
      guard error.kind == .invalid || failedRenewals == 2 else { return }
      host?.warn("not advertising: \(error.message)")
    }
  }

  /// The first failure may be the end of bluetoothd or of the adapter, of which we hear in a moment; that is no news.
  private func tryToRenewLater() {
    failedRenewals += 1
    retry = EventLoop.after(.seconds(1)) { [weak self] in self?.needReconciling() }
  }
}

// MARK: Other attributes

extension BlueZTransport {
  package func serve(_ table: AttributeTable) {
    device?.table = table
    needReconciling()
  }

  /// The attributes that a central finds on BlueZ, as far as it is registered; nil: none.
  package var table: AttributeTable? { server?.table }

  private var servesAnotherTable: Bool { device?.table != server?.table }

  /// Takes the old attributes back, if nobody is there who uses them: a registration cannot change. Nobody comes
  /// meanwhile, and the last who goes leads here again.
  private func withdrawAttributes(from adapter: Adapter, _ client: BlueZClient) async {
    await withdrawAdvertisement(from: adapter, client)
    guard centrals.isEmpty else { return }
    await client.unregisterApplication(adapter.path)
    isRegistered = false
  }
}

// MARK: Connections

extension BlueZTransport {
  package func disconnect(_ central: Central?) {
    let leaving = central.map { [$0] } ?? centrals.sorted { $0.description < $1.description }
    guard let client, let adapter else { return }
    for central in leaving {
      Task { @EventLoop [weak self] in
        if await client.disconnect(central, from: adapter) { return }
        self?.host?.warn("could not disconnect \(central): BlueZ refused")
      }
    }
  }
}

// MARK: The adapter's own settings

extension BlueZTransport {
  private func note(_ adapter: Adapter) throws(TransportError) {
    let current = AdapterRecord.Original(
      isPowered: adapter.isPowered, alias: adapter.alias == adapter.systemName ? "" : adapter.alias)
    do throws(AdapterRecord.Failure) {
      record = try AdapterRecord(of: adapter.address, current: current)
      original = record?.original
    } catch .inUse {
      throw .inUse(adapter)
    } catch {
      guard case .unwritable(let reason) = error else { return }
      original = current
      host?.warn("if blemu is killed, nobody will know what \(adapter.name) was like: cannot write \(reason)")
    }
    if record?.isLeftOver == true {
      host?.warn(
        "an earlier run was killed; what it changed on \(adapter.name) is put back at the end of this one")
    }
  }

  private func prepare(_ adapter: Adapter, _ client: BlueZClient) async throws(TransportError) {
    guard let device else { return }
    if !adapter.isPowered { try await client.power(adapter) }
    if adapter.alias != device.deviceName { try await client.setAlias(device.deviceName, of: adapter) }
  }

  private func putBack() async {
    guard let client, let adapter, let original else { return }
    if await client.restore(original, of: adapter) {
      record?.erase()
    } else {
      host?.warn("\(adapter.name) is not as it was: BlueZ did not answer; the next run puts it back")
    }
    record = nil
    self.original = nil
  }
}

// MARK: What happens meanwhile

extension BlueZTransport {
  private func take(_ change: BlueZClient.Change) {
    switch change {
    case .connection(let central, isConnected: false) where !tellsOfCentrals: strangers.remove(central)
    case .connection where !tellsOfCentrals, .other where !tellsOfCentrals: break
    case .connection(let central, let isConnected):
      if isConnected { arrived(central) } else { left(central) }
    case .ownerLost:
      stops += 1
      isRegistered = false
      fallOff(TransportError.bluetoothdStopped.message)
    case .other: needReconciling()
    }
  }

  private func arrived(_ central: Central) {
    guard !strangers.contains(central), centrals.insert(central).inserted else { return }
    host?.receive(.connected(central))
  }

  private func left(_ central: Central) {
    strangers.remove(central)
    guard centrals.remove(central) != nil else { return }
    server?.forget(central)
    host?.receive(.disconnected(central))
    if servesAnotherTable { needReconciling() }
  }

  private func updatePulse() {
    if centrals.isEmpty {
      pulse = nil
    } else if pulse == nil {
      pulse = EventLoop.Timer { [weak self] in self?.pulse?.fire(after: RequestPatience.precision) }
      pulse?.fire(after: RequestPatience.precision)
    }
  }

  private func fallOff(_ reason: String) {
    guard isOnAir else { return }
    isOnAir = false
    server?.reset()
    for central in centrals { left(central) }
    host?.fellOffAir(reason)
  }

  private func comeBack() {
    guard !isOnAir else { return }
    isOnAir = true
    host?.cameBackOnAir()
  }

  private func needReconciling() {
    needsReconciling = true
    guard reconciliation == nil else { return }
    reconciliation = Task { @EventLoop in
      while needsReconciling {
        needsReconciling = false
        await reconcile()
      }
      reconciliation = nil
    }
  }

  /// Lets what has been asked of BlueZ come to its end: bluetoothd (5.66) crashes when an advertisement is taken back
  /// that it has not yet registered.
  private func stopReconciling() async {
    needsReconciling = false
    await reconciliation?.value
    retry = nil
  }

  /// Brings the device back on the air, or says why it is not there.
  private func reconcile() async {
    guard let client, client.isWatching, let address = adapter?.address else { return }
    guard let adapters = try? await client.adapters(), client.isWatching else { return }
    guard let adapter = adapters.first(where: { $0.address == address && $0.canBePeripheral }) else {
      isRegistered = false
      return fallOff("the adapter is gone")
    }
    self.adapter = adapter
    if isRegistered {
      guard adapter.isPowered else { return fallOff("\(adapter.name) was switched off") }
      if servesAnotherTable { await withdrawAttributes(from: adapter, client) }
      guard client.isWatching else { return }
    }
    if isRegistered {
      guard !servesAnotherTable else { return }  // until the last central has gone
      if device?.advertisement != advertised { await renewAdvertisement(on: adapter, client) }
      if client.isWatching, isRegistered { comeBack() }
      return
    }
    do throws(TransportError) {
      try await prepare(adapter, client)
      try await register(adapter, client)
      if client.isWatching { comeBack() }
    } catch {
      fallOff(error.message)
      retry = EventLoop.after(.seconds(1)) { [weak self] in self?.needReconciling() }
    }
  }
}
