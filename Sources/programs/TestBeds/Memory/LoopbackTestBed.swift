import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback
import Peripheral
import Transcripts

/// A test bed in memory. Time passes only while a line waits, so every run is the same.
@EventLoop
package final class LoopbackTestBed: TestBed {
  package let device: TestedDevice
  package let timing = TestBedTiming.virtual
  private var scheduler = ManualScheduler()
  private var transport = LoopbackTransport()
  /// The centrals by name; nil: the usual one.
  private var clients: [String?: LoopbackCentral] = [:]
  private var rawCentrals: [String?: LoopbackLink] = [:]
  private var addresses: [String: DeviceAddress] = [:]
  /// The limits of the transport to imitate.
  package var limits: any TransportLimits

  package init(limits: any TransportLimits = NoLimits()) {
    self.limits = limits
    device = TestedDevice(scheduler)
  }

  /// Whether changes of the advertisement are remarks.
  var remarksOnAdvertising = false

  /// Has no effect, because waits take no real time.
  package func interrupt() {}

  package var advertisement: Advertisement? { transport.advertisement }
  package var maximumValue: Int { (central?.mtu ?? 23) - 3 }

  package func setUp(
    _ definition: PeripheralDefinition, settings: [Value], options: EngineOptions, paces: Transcript.Paces
  ) async throws {
    scheduler = ManualScheduler()
    addresses = [:]
    transport = LoopbackTransport(
      limits: limits, scheduler: scheduler, linksTakeTime: paces.contains(.link))
    transport.onAdvertising = { [weak self] in self?.advertisementChanged() }
    try await device.start(
      definition, settings: settings, options: options, isPaced: paces.contains(.wire), on: transport,
      scheduler)
  }

  package func tearDown() async {
    for client in clients.values { client.disconnect() }
    for link in rawCentrals.values { link.disconnect() }
    (clients, rawCentrals) = ([:], [:])
    await device.stop()
  }

  private func advertisementChanged() {
    guard remarksOnAdvertising else { return }
    inbox.append(LogRemark(time: now, text: AdvertisementText.write(advertisement)))
  }
}

// MARK: The central

extension LoopbackTestBed {
  private var central: LoopbackCentral? {
    get { clients[device.part] }
    set { clients[device.part] = newValue }
  }

  private var rawCentral: LoopbackLink? {
    get { rawCentrals[device.part] }
    set { rawCentrals[device.part] = newValue }
  }

  package func take(part central: String?) { device.take(part: central) }

  /// The usual central has the usual address, and a further one that of its name, or the next.
  private var address: DeviceAddress {
    let usual = LoopbackTransport.central
    guard let name = device.part else { return usual }
    if let known = addresses[name] { return known }
    let next =
      DeviceAddress(usual.bytes.dropLast() + [UInt8(truncatingIfNeeded: 3 + addresses.count)]) ?? usual
    let address = DeviceAddress(name) ?? next
    addresses[name] = address
    return address
  }

  package func accepts(_ connection: Step.Connection) -> Bool {
    if case .client(_, let isPhone) = connection { return transport.accepts(address, isPrivate: isPhone) }
    return transport.accepts(address)
  }

  package func connect(_ connection: Step.Connection) throws {
    let part = device.part
    switch connection {
    case .client(let mtu, let isPhone):
      let central = transport.connect(
        address, isPrivate: isPhone, mtu: mtu, attributes: device.attributes)
      central.onValue = { [streams = device.streams, standIn = device.standIn] in
        guard let original = standIn == nil ? $0 : standIn?.original(of: $0) else { return }
        streams?.take($1, from: .characteristic(original))
      }
      central.link.onSDU = { [streams = device.streams] in streams?.take($1, from: .channel($0)) }
      central.link.onClose = { [weak device] in device?.append(.channelEnd($0).at(part)) }
      central.onDisconnect = { [weak self] in self?.lost(part) }
      self.central = central
      _ = try response { respond in central.whenReady { respond(.accepted) } }
    case .raw:
      rawCentral = transport.connectRaw(address) { [weak device] in
        device?.append(.pdu.at(part), $0)
      } onDisconnect: { [weak self] in
        self?.lost(part)
      }
    }
  }

  package func disconnect(_ reason: HCIError?) throws {
    if rawCentral == nil { _ = try connected() }
    endLink(reason ?? .remoteUserTerminated)
  }

  private func endLink(_ reason: HCIError = .remoteUserTerminated) {
    central?.disconnect(reason)
    rawCentral?.disconnect(reason)
    (central, rawCentral) = (nil, nil)
  }

  package func pair(_ request: PairingRequest) throws -> PairingOutcome {
    guard let link = central?.link ?? rawCentral else { throw TestBedError.disconnected }
    let outcome = try answer(to: { link.pair(request, end: $0) }, "paired")
    guard let outcome else { throw TestBedError.disconnected }
    if case .failed = outcome {
      endLink()
      inbox.remove { [device] in $0.source == .disconnection.at(device.part) }
    }
    return outcome
  }

  package func act(_ action: Step.LinkAction) throws {
    guard let link = central?.link ?? rawCentral else { throw TestBedError.disconnected }
    switch action {
    case .change(let change): link.change(change)
    case .refuseParameters: link.refusesParameters = true
    }
  }

  package func unpair() {
    endLink()
    transport.unpair(address)
  }

  package func loseKeys() { transport.loseKeys(address) }

  package func send(pdu: [UInt8]) throws {
    guard let rawCentral else { throw TestBedError.notRaw }
    rawCentral.send(pdu)
  }

  private func lost(_ part: String?) {
    (clients[part], rawCentrals[part]) = (nil, nil)
    device.hasDisconnected(part)
  }

  package func found() throws -> [FoundCharacteristic] {
    _ = try connected()
    return transport.device?.table.found() ?? []
  }

  package func subscribe(to characteristic: Int) throws -> Response {
    let central = try connected()
    guard let own = own(characteristic) else { return .refused(.attributeNotFound) }
    return try response { central.subscribe(to: own, respond: $0) }
  }

  package func openChannel(_ channel: Int) throws {
    let result = try connected().link.openChannel(channel)
    if result != .success { throw ChannelRefusal.refused(result) }
  }

  package func closeChannel(_ channel: Int) throws {
    try opened(channel).closeChannel(channel)
  }

  package func transmit(_ bytes: [UInt8], in channel: Int) throws {
    try opened(channel).send(bytes, in: channel)
  }

  package func awaitSubscription(to sought: Int) throws { _ = try connected() }

  private func opened(_ channel: Int) throws -> LoopbackLink {
    let link = try connected().link
    guard link.hasOpen(channel) else { throw TestBedError.channelNotOpen }
    return link
  }

  package func unsubscribe(from characteristic: Int) throws -> Response {
    let central = try connected()
    if let own = own(characteristic) { _ = try response { central.unsubscribe(from: own, respond: $0) } }
    return .accepted
  }

  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind
  ) async throws -> Response {
    let central = try connected()
    guard let own = own(attribute) else { return .refused(.attributeNotFound) }
    return try response(to: { central.write(value, to: own, kind, respond: $0) })
  }

  package func read(_ attribute: AttributeReference) async throws -> Response {
    let central = try connected()
    guard let own = own(attribute) else { return .refused(.attributeNotFound) }
    return try response(to: { central.read(own, respond: $0) })
  }

  /// The attribute of the device that plays the part; nil: it has none.
  private func own(_ attribute: AttributeReference) -> AttributeReference? {
    device.standIn == nil ? attribute : device.standIn?.double(of: attribute)
  }

  private func own(_ characteristic: Int) -> Int? {
    device.standIn == nil ? characteristic : device.standIn?.double(of: characteristic)
  }

  private func connected() throws(TestBedError) -> LoopbackCentral {
    if let central { return central }
    throw rawCentral == nil ? TestBedError.disconnected : .onRawConnection
  }

  /// How long a central waits for a response (Core Specification, Vol 3 Part F 3.3.3).
  private static let requestLimit = Duration.seconds(30)

  private func response(to request: (@escaping Responder) -> Void) throws(TestBedError) -> Response {
    try answer(to: request, "responded")
  }

  /// Asks for something, and lets time pass until the device has done it. After 30 s the central leaves.
  private func answer<Answer: Sendable>(
    to request: (@escaping @EventLoop (Answer) -> Void) -> Void, _ done: String
  ) throws(TestBedError) -> Answer {
    let pending = Pending<Answer>()
    request { pending.answer = $0 }
    let end = now.advanced(by: Self.requestLimit)
    while pending.answer == nil, scheduler.performNext(until: end) {}
    if let answer = pending.answer { return answer }
    endLink()
    throw TestBedError("the device has not \(done) within 30 s")
  }
}

// MARK: Time

extension LoopbackTestBed {
  /// The most timers that may fire at one instant.
  private static let patience = 100_000

  /// Lets time pass until the device sends or logs something, or until nothing is due within `limit`.
  ///
  /// - Returns: whether there was output.
  package func waitForOutput(within limit: Duration) -> Bool {
    let (count, end) = (inbox.outputCount, now.advanced(by: limit))
    while inbox.outputCount == count, let next = scheduler.nextInstant, next <= end {
      _ = scheduler.performNext(until: next)
    }
    return inbox.outputCount > count
  }

  package func wait(until end: Instant, past count: Int, includingEnd: Bool) throws {
    var steps = (instant: scheduler.now, count: 0)
    while inbox.count <= count, scheduler.performNext(until: end, includingEnd: includingEnd) {
      steps = steps.instant == scheduler.now ? (steps.instant, steps.count + 1) : (scheduler.now, 0)
      if steps.count > Self.patience {
        throw TestBedError("the device keeps working at one moment and never waits")
      }
    }
  }
}

/// The answer to a request, once it has arrived.
@EventLoop
private final class Pending<Answer> {
  var answer: Answer?
}
