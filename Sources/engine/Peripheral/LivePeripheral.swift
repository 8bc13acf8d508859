import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// A running device: connects its behaviour, its transport, its wire side and the traffic sinks.
@EventLoop
package final class LivePeripheral {
  package let definition: PeripheralDefinition
  private let settings: [Value]
  let transport: any Transport
  private let wire: (any WireAttachment)?
  private let memory: (any SettingsMemory)?
  package let scheduler: any Scheduler
  private let sinks: [any TrafficSink]
  private let options: EngineOptions
  private let forgetsBonds: Bool
  private let relay: (any Relay)?
  /// The address of the device; nil: it has not been on the air.
  private var address: DeviceAddress?
  private(set) var pipeline: Pipeline?
  /// nil: there are no interceptors.
  var interception: InterceptionStage?
  /// The device as it is on the air, or last was; nil: it has not been on the air.
  package private(set) var onAir: TrafficEvent.OnAir?
  private var onAirSince: Instant?

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - memory: keeps the settings over a power cycle. The device begins with the kept ones.
  ///   - options: the time and the seed for the engine.
  ///   - forgetsBonds: whether the device forgets its kept bonds when it starts.
  ///   - relay: the device behind it, if it is a relay.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], transport: any Transport,
    wire: (any WireAttachment)? = nil, memory: (any SettingsMemory)? = nil,
    scheduler: any Scheduler = EventLoopScheduler(), sinks: [any TrafficSink],
    options: EngineOptions = EngineOptions(), forgetsBonds: Bool = false, relay: (any Relay)? = nil
  ) {
    (self.forgetsBonds, self.relay) = (forgetsBonds, relay)
    var options = options
    options.makesRemarks = !sinks.isEmpty
    options.notesFrames = sinks.contains(where: \.takesFrames)
    self.options = options
    self.definition = definition
    self.settings = settings
    self.transport = transport
    self.wire = wire
    self.memory = memory
    self.scheduler = scheduler
    self.sinks = sinks
  }

  /// Puts the device on the air, and returns when centrals can find it.
  ///
  /// - Throws: ``TransportError``.
  package func start() async throws {
    transport.host = self
    let adapter = try await transport.open()
    let engine = try makeEngine(on: adapter.address)
    let (address, advertisement) = (engine.address, try engine.advertisement())
    if address == relay?.address {
      throw TransportError(
        .invalid, "\(address) is the address of this relay itself",
        hint: "give the address or the name of another device; 'blemu scan' shows both")
    }
    self.address = address
    pipeline = Pipeline(
      definition, engine: engine, transport: transport, wire: wire, memory: memory, scheduler: scheduler,
      sinks: sinks, relay: relay)
    relay?.host = self
    wire?.host = self
    let name = advertisement.localName ?? definition.name
    var device = DeviceOnAir(
      definition: definition, table: engine.table, advertisement: advertisement, deviceName: name,
      ownAddress: address == adapter.address ? nil : address, pairing: engine.pairing)
    let bonds = memory?.bonds(of: address) ?? []
    if forgetsBonds { device.forgottenBonds = bonds } else { device.bonds = bonds }
    try await transport.goOnAir(device)
    if forgetsBonds, let problem = memory?.forgetBonds() { warn(problem) }
    onAir = TrafficEvent.OnAir(
      definition: definition.name, name: name, adapter: adapter, ownAddress: engine.setAddress,
      packets: transport.limits.packets(of: advertisement),
      services: services(of: engine.table), wire: wire?.label)
    announce()
    wire?.start()
    pipeline?.receive(.started)
    await transport.connections.watchCentrals()
  }

  /// How the device pairs now; nil: as the system is set up, or it has not started.
  package var pairing: PairingPolicy? { pipeline?.withEngine { $0.pairing } ?? nil }

  /// The bytes that the other end of a stream sends for a message.
  package func codedByPeer(_ message: [UInt8], for endpoint: Endpoint) throws -> [UInt8] {
    try pipeline?.withEngine { try $0.codedByPeer(message, for: endpoint) } ?? message
  }

  /// The bytes that the other end of a stream reads from a value.
  package func decodedByPeer(value: [UInt8], from endpoint: Endpoint) throws -> [UInt8] {
    try pipeline?.withEngine { try $0.decodedByPeer(value: value, from: endpoint) } ?? value
  }

  /// The bytes that the other end of a stream reads from a frame.
  package func decodedByPeer(frame: [UInt8], from endpoint: Endpoint) throws -> [UInt8] {
    try pipeline?.withEngine { try $0.decodedByPeer(frame: frame, from: endpoint) } ?? frame
  }

  /// Whether it takes events.
  package var hasStarted: Bool { pipeline != nil }

  /// Whether it is on the air now.
  package var isOnAir: Bool { onAirSince != nil }

  /// Counts since it went on the air.
  package var totals: TrafficEvent.Totals {
    var totals = pipeline?.totals ?? TrafficEvent.Totals()
    if let since = onAirSince { totals.duration = since.duration(to: scheduler.now) }
    return totals
  }

  /// The connected centrals, in the order in which they connected.
  package var centrals: [Central] { pipeline?.connectedCentrals ?? [] }

  /// The connected central that has this address on its link, or as its identity; nil: there is none.
  package func central(at address: DeviceAddress) -> Central? {
    pipeline?.withEngine { $0.central(at: address) } ?? nil
  }

  /// The identity address of a connected central, or that of its link.
  package func identity(of central: Central) -> DeviceAddress {
    pipeline?.withEngine { $0.identity(of: central) } ?? central
  }

  /// The centrals that it is bonded with; nil: its transport does not know them.
  package var bondedCentrals: [Central]? { transport.connections.bondedCentrals }

  /// The present advertisement; nil: the device does not advertise.
  package var advertisement: Advertisement? { pipeline?.withEngine { $0.currentAdvertisement } ?? nil }

  /// The address with which its main set advertises, or advertised last; nil: it is the adapter's.
  package var setAddress: SetAddress? { pipeline?.withEngine { $0.setAddress } ?? nil }

  /// The attributes that it serves; nil: it has not started.
  package var table: AttributeTable? { pipeline?.withEngine { $0.table } }

  /// The limits of its transport.
  package var limits: any TransportLimits { transport.limits }

  /// The handles that its transport gives to attributes; nil: the transport does not show them.
  package var handles: HandleLayout? { transport.handles }

  /// The present value of an attribute; nil: it has not started.
  package func value(of attribute: AttributeReference) -> [UInt8]? {
    pipeline?.withEngine { $0.value(of: attribute) }
  }

  /// Passes traffic from outside the device to its sinks.
  package func report(_ kind: TrafficEvent.Kind) { pipeline?.traffic.report(kind) }

  /// The values that expressions about the device have now; nil: it has not started.
  package var context: EvaluationContext? { pipeline?.context }

  /// Takes the device off the air and restores the adapter.
  package func stop() async {
    await transport.leaveAir()
    await wire?.close()
    leave(.stopped(restoringAdapter: onAir?.adapter.isReal ?? false))
  }

  /// Makes the engine, which checks the values, attributes and speed that follow from the settings.
  ///
  /// - Parameter adapter: its address.
  private func makeEngine(on adapter: DeviceAddress) throws(TransportError) -> Engine {
    do {
      return try Engine(
        definition, settings: settings, kept: memory?.settings, address: adapter,
        basis: transport.addressBasis(of: definition, on: adapter), limits: transport.limits,
        handles: transport.handles, options: options)
    } catch let error as BaudError {
      throw TransportError(
        .invalid, "the wire side has no valid speed: \(error)",
        hint: "change the setting that 'baud' uses")
    } catch {
      throw TransportError(
        .invalid, "\(error)", hint: "change the setting with --set or in the file of --state")
    }
  }

  private func announce() {
    guard var onAir else { return }
    pipeline?.withEngine { engine in
      onAir.services = services(of: engine.table)
      onAir.ownAddress = engine.setAddress
    }
    onAirSince = scheduler.now
    pipeline?.announce(onAir)
  }

  /// The services that centrals find, without the transport's own.
  private func services(of table: AttributeTable) -> [BluetoothUUID] {
    transport.limits.served(table).services.map(\.uuid)
  }

  private func leave(_ ending: TrafficEvent.Ending) {
    guard let pipeline, let since = onAirSince else { return }
    onAirSince = nil
    var totals = pipeline.totals
    totals.duration = since.duration(to: scheduler.now)
    pipeline.traffic.report(.offAir(ending, totals))
  }
}

extension LivePeripheral: BaseHost {
  package func receive(_ event: Event, respond: Responder?) { receive(event, isStruck: false, respond) }

  package func receive(struck event: Event, respond: Responder?) { receive(event, isStruck: true, respond) }

  private func receive(_ event: Event, isStruck: Bool, _ respond: Responder?) {
    if let interception { return interception.receive(event, respond: respond) }
    guard let pipeline else {
      respond?(.refused(.unlikelyError))
      return
    }
    pipeline.receive(event, isStruck: isStruck, respond: respond)
  }

  package func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    pipeline?.congestionChanged(isCongested, of: .characteristic(characteristic))
  }

  package func channelCongestionChanged(_ isCongested: Bool, of channel: Int) {
    pipeline?.congestionChanged(isCongested, of: .channel(channel))
  }

  package func receiveAsClient(_ packet: [UInt8], from central: Central) {
    pipeline?.receiveAsClient(packet, from: central)
  }

  package func name(ofChannel channel: Int) -> String { definition.channels[channel].id }

  package func fellOffAir(_ reason: String) { leave(.failed(reason)) }

  package func cameBackOnAir() { announce() }

  package func keep(_ bonds: [Bond]) {
    if let address, let problem = memory?.keep(bonds, of: address) { warn(problem) }
  }

  package var isLogging: Bool { !sinks.isEmpty }

  package func linkMeasured(_ central: Central, _ change: LinkChange) {
    pipeline?.traffic.report(.link(central, change))
  }

  package func struckSentValue() { pipeline?.traffic.struckSentValue() }

  package func struck(_ event: TrafficEvent.Kind) { pipeline?.traffic.struck(event) }

  /// Also before the device has an adapter, and so no pipeline yet.
  package func warn(_ message: String) {
    let warning = TrafficEvent.Kind.warning(message, attribute: nil, [])
    if let pipeline { return pipeline.traffic.report(warning) }
    for sink in sinks { sink.take(TrafficEvent(time: scheduler.now, kind: warning)) }
  }
}

extension LivePeripheral: WireHost {
  package func receiveFromWire(_ bytes: [UInt8]) { pipeline?.receive(.wireReceived(bytes)) }

  package func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    pipeline?.receive(.wireReceived(bytes, during: times))
  }

  package func wireTookBytes() { pipeline?.wireTookBytes() }

  package func report(_ event: WireEvent) { pipeline?.traffic.report(.wire(event)) }
}
