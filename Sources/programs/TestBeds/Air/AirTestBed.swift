import AttributeServer
import Behavior
import Bluetooth
import Centrals
import DeviceModel
import EventLoop
import Exact
import Framing
import GATTClient
import Kernel
import Loopback
import Peripheral
import Transcripts

/// A test bed on the air: the device on one adapter or controller, and a central on another.
@EventLoop
package final class AirTestBed: TestBed {
  package let device: TestedDevice
  package var timing: TestBedTiming { precision(slowestAnswer) }
  private let precision: (Duration) -> TestBedTiming
  /// The slowest answer in this conversation.
  private var slowestAnswer = Duration.zero
  private let makeTransport: @EventLoop () -> any RadioTransport
  let central: any AirCentral
  private let scheduler = EventLoopScheduler()
  let changes = Condition()
  let observer: DeviceObserver
  private var transport: (any RadioTransport)?
  private(set) var link: CentralLink?
  /// The keys that the central and the device have from pairing in this section.
  var keys = Keys.none
  private(set) var isInterrupted = false

  /// - Parameters:
  ///   - precision: that of its time, after an answer has taken so long.
  ///   - makeTransport: makes the transport of each device.
  package init(
    central: any AirCentral, precision: @escaping (Duration) -> TestBedTiming = TestBedTiming.real,
    makeTransport: @escaping @EventLoop () -> any RadioTransport
  ) {
    (self.central, self.precision, self.makeTransport) = (central, precision, makeTransport)
    device = TestedDevice(scheduler)
    observer = DeviceObserver(changes)
    inbox.onArrival = { [changes] in changes.signal() }
  }

  /// How the device pairs now. The system's default is Just Works.
  var pairingPolicy: PairingPolicy { device.peripheral?.pairing ?? PairingPolicy() }
  package var advertisement: Advertisement? { transport?.advertised }
  package var maximumValue: Int { link?.client.longestWrite ?? 20 }

  package func interrupt() {
    isInterrupted = true
    changes.signal()
  }

  package func wait(until end: Instant, past count: Int, includingEnd: Bool) async throws {
    await changes.wait(until: end.microseconds) { inbox.count > count || isInterrupted }
    try checkInterruption()
  }

  func checkInterruption() throws(TestBedError) {
    if isInterrupted { throw TestBedError("interrupted") }
  }
}

// MARK: The device

extension AirTestBed {
  package func setUp(
    _ definition: PeripheralDefinition, settings: [Value], options: EngineOptions, paces: Transcript.Paces
  ) async throws {
    try checkInterruption()
    observer.clear()
    slowestAnswer = .zero
    let transport = makeTransport()
    self.transport = transport
    try await device.start(
      definition, settings: settings, options: options, isPaced: paces.contains(.wire), on: transport,
      scheduler,
      observer: observer)
    device.attributes?.onSubscription = { [changes] in changes.signal() }
  }

  package func tearDown() async {
    await leave()
    await forgetKeys()
    await central.leave()
    await device.stop()
    transport = nil
  }
}

// MARK: The central

extension AirTestBed {
  package func connect(_ connection: Step.Connection) async throws {
    try checkInterruption()
    if keys == .ofThisLink { await forgetKeys() }
    switch connection {
    case .client(let mtu, _):
      let client = try await makeClient(mtu: mtu)
      if keys == .kept { try await encrypt() }
      try await discover(client)
    case .raw:
      let client = try await makeClient(mtu: AttributePDU.defaultMTU)
      client.onPacket = { [weak device] in device?.append(.pdu, $0) }
    }
    await changes.wait(for: Self.patience) { [observer] in observer.centralCount > 0 }
    link?.unconditional = observer.subscribed
  }

  package func send(pdu: [UInt8]) async throws {
    try checkInterruption()
    guard let link else { throw TestBedError.disconnected }
    guard link.client.onPacket != nil else { throw TestBedError.notRaw }
    try await asking { try await link.client.send(packet: pdu) }
  }

  private func makeClient(mtu: Int) async throws -> GATTClient {
    guard let place else { throw TestBedError("the device is not on the air") }
    let client = try await central.connect(to: place, mtu: mtu)
    client.onDisconnect = { [weak self] in self?.lost($0) }
    serve(on: client)
    link = CentralLink(client)
    return client
  }

  /// Gives the central a GATT server.
  private func serve(on client: GATTClient) {
    guard let attributes = device.attributes else { return }
    attributes.begin()
    attributes.send = { [weak client] in client?.sendFromServer($0) }
    client.server = { [weak client] in attributes.receive($0, mtu: client?.mtu ?? AttributePDU.defaultMTU) }
  }

  private func discover(_ client: GATTClient) async throws {
    client.onValue = { [weak self] handle, value, _ in
      guard let index = self?.link?.attributes?.senders[handle] else { return }
      self?.device.streams?.take(value, from: .characteristic(index))
    }
    _ = try await asking { try await timed { try await client.exchangeMTU() } }
    try await discoverAttributes(client)
  }

  /// The attributes of the device, or of the one whose part it plays.
  private var table: AttributeTable? { device.standIn?.originalTable ?? transport?.table }

  private func discoverAttributes(_ client: GATTClient) async throws {
    let database = try await asking { try await client.discover() }
    if let definition = device.definition, let table {
      link?.attributes = AttributeMap(definition, table, at: database, areLast: true)
    }
  }

  /// How long to wait until bluetoothd tells the device its answer to the central. A limit against hanging.
  private static let patience = Duration.seconds(60)

  /// nil: the device is not on the air.
  private var place: AirPlace? {
    guard let adapter = observer.adapterAddress else { return nil }
    return AirPlace(
      adapter: adapter,
      device: observer.ownAddress.map { LinkAddress($0, .random) } ?? transport?.hostAddress)
  }

  private func lost(_ end: LinkEnd) {
    link = nil
    if end != .endedByPeer { inbox.append(LogRemark(time: now, text: "! \(end)")) }
    device.hasDisconnected()
  }

  package func disconnect(_ reason: HCIError?) async throws {
    try checkInterruption()
    guard link != nil else { throw TestBedError.disconnected }
    await leave(reason ?? .remoteUserTerminated)
  }

  func leave(_ reason: HCIError = .remoteUserTerminated) async {
    guard let link else { return }
    self.link = nil
    await link.client.disconnect(reason)
    await changes.wait(for: Self.patience) { [observer] in observer.centralCount == 0 }
  }

  /// The link, with the attributes that the device has now.
  private func connected() async throws -> (link: CentralLink, attributes: AttributeMap) {
    try checkInterruption()
    guard let link else { throw TestBedError.disconnected }
    if let known = link.attributes, let table, known.table != table {
      try await discoverAttributes(link.client)
    }
    guard let attributes = link.attributes else { throw TestBedError.onRawConnection }
    return (link, attributes)
  }

  /// Sends a request. Any failure but a refusal ends the conversation.
  private func asking<Value>(_ request: @EventLoop () async throws -> Value) async throws -> Value {
    do { return try await request() } catch let error as GATTClientError {
      throw TestBedError(error.message)
    }
  }
}

// MARK: Requests

extension AirTestBed {
  /// bluetoothd needs a while for attributes that have changed.
  package func found() async throws -> [FoundCharacteristic] {
    let (link, attributes) = try await connected()
    if !attributes.missing.isEmpty { try await discoverAttributes(link.client) }
    return link.attributes?.found ?? []
  }

  package func subscribe(to characteristic: Int) async throws -> Response {
    try await configure(characteristic, isSubscribed: true)
  }

  package func unsubscribe(from characteristic: Int) async throws -> Response {
    try await configure(characteristic, isSubscribed: false)
  }

  private func configure(_ characteristic: Int, isSubscribed: Bool) async throws -> Response {
    let (link, attributes) = try await connected()
    guard attributes.isPresent(.characteristic(characteristic)) else { return .refused(.attributeNotFound) }
    let remote = try attributes.remote(characteristic)
    let id = deviceID(of: characteristic)
    let isUnconditional = link.unconditional.contains(id)
    // A client lets its user subscribe, although there is no CCCD to write.
    if isUnconditional, remote.configuration == nil { return .accepted }
    return try await respond {
      try await timed {
        isSubscribed
          ? try await link.client.subscribe(to: remote, by: remote.properties.delivery ?? .indication)
          : try await link.client.unsubscribe(from: remote)
      }
      await changes.wait(for: Self.patience) { [observer] in
        isSubscribed == observer.subscribed.contains(id) || isUnconditional && !isSubscribed
      }
      // bluetoothd 5.66 loses an unsubscription that arrives before the device has answered the subscription.
      if isSubscribed { await transport?.catchUp() }
      return .accepted
    }
  }

  package func openChannel(_ channel: Int) async throws {
    let (link, _) = try await connected()
    guard let offer = device.definition?.channels[channel].offer else { return }
    let opened = try await central.openChannel(offer.spsm)
    link.channels[channel] = opened
    opened.onSDU = { [streams = device.streams] in streams?.take($0, from: .channel(channel)) }
    opened.onClose = { [weak device, weak link] in
      link?.channels[channel] = nil
      device?.append(.channelEnd(channel))
    }
  }

  package func closeChannel(_ channel: Int) async throws {
    let (link, _) = try await connected()
    guard let opened = link.channels.removeValue(forKey: channel) else { throw TestBedError.channelNotOpen }
    let id = device.name(of: .channel(channel))
    opened.close()
    await changes.wait(for: Self.patience) { [observer] in !observer.openChannels.contains(id) }
  }

  package func transmit(_ bytes: [UInt8], in channel: Int) async throws {
    let (link, _) = try await connected()
    guard let opened = link.channels[channel] else { throw TestBedError.channelNotOpen }
    opened.send(bytes)
  }

  package func awaitSubscription(to sought: Int) async throws {
    _ = try await connected()
    await changes.wait(for: Self.patience) { [weak self, device] in
      device.attributes?.isSubscribed(sought) != false || self?.link == nil || self?.isInterrupted == true
    }
  }

  /// What the device calls a characteristic of the definition. A double without it has no name for it.
  private func deviceID(of characteristic: Int) -> String {
    guard let standIn = device.standIn else { return device.name(of: .characteristic(characteristic)) }
    return standIn.double(of: characteristic).map { standIn.definition.characteristics[$0].id } ?? ""
  }

  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind
  ) async throws -> Response {
    let (link, attributes) = try await connected()
    guard attributes.isPresent(attribute) else { return .refused(.attributeNotFound) }
    let handle = try attributes.handle(of: attribute)
    return try await respond {
      switch kind {
      case .command: try await link.write(command: value, to: handle)
      case .request where value.count <= link.client.longestWrite:
        try await timed { try await link.client.write(value, to: handle) }
      case .request, .reliable, .prepared: try await link.client.writeLong(value, to: handle)
      }
      return .accepted
    }
  }

  package func read(_ attribute: AttributeReference) async throws -> Response {
    let (link, attributes) = try await connected()
    guard attributes.isPresent(attribute) else { return .refused(.attributeNotFound) }
    let handle = try attributes.handle(of: attribute)
    return try await respond { .value(try await timed { try await link.client.read(handle) }) }
  }

  /// Measures how long a plain request takes on this machine.
  private func timed<Value>(_ request: @EventLoop () async throws -> Value) async throws -> Value {
    let start = now
    defer { slowestAnswer = max(slowestAnswer, start.duration(to: now)) }
    return try await request()
  }

  private func respond(_ request: @EventLoop () async throws -> Response) async throws -> Response {
    do { return try await request() } catch let error as GATTClientError {
      if case .refused(let error, _, _) = error { return .refused(error) }
      throw TestBedError(error.message)
    }
  }
}
