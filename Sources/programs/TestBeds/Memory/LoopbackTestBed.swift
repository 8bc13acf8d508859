import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Faults
import Framing
import Loopback
import Peripheral
import Transcripts

/// A test bed in memory. Time passes only while a line waits, so every run is the same.
@EventLoop
package final class LoopbackTestBed: RecordableTestBed {
  package let inbox = Inbox()
  package let timing = TestBedTiming.virtual
  private var scheduler = ManualScheduler()
  private var transport = LoopbackTransport()
  private var wire: LoopbackWire?
  private var peripheral: LivePeripheral?
  package private(set) var faults: FaultStage?
  private var central: LoopbackCentral?
  private var rawCentral: LoopbackLink?
  private var streams: ValueStreams?
  private var attributes: CentralAttributes?
  private let limits: (PeripheralDefinition) -> any TransportLimits

  /// - Parameter limits: the limits of the transport to imitate.
  package init(limits: @escaping (PeripheralDefinition) -> any TransportLimits = { _ in NoLimits() }) {
    self.limits = limits
  }

  package var standIn: StandIn?
  package var furtherSink: (any TrafficSink)?
  package var recorder: (any AirRecorder)?
  package var total: Instant { earlier.advanced(by: Instant().duration(to: now)) }
  private var earlier = Instant()

  /// Whether changes of the advertisement are remarks.
  var remarksOnAdvertising = false

  /// Has no effect, because waits take no real time.
  package func interrupt() {}

  package var now: Instant { scheduler.now }
  package var advertisement: Advertisement? { transport.advertisement }
  package var context: EvaluationContext? { peripheral?.context }
  package var maximumValue: Int { (central?.mtu ?? 23) - 3 }

  package func setUp(
    _ definition: PeripheralDefinition, settings: [Value], seed: UInt64, isPaced: Bool
  ) async throws {
    inbox.clear()
    earlier = total
    let scheduler = ManualScheduler()
    self.scheduler = scheduler
    transport = LoopbackTransport(limits: limits(definition), scheduler: scheduler)
    transport.recorder = recorder
    transport.onAdvertising = { [weak self] in self?.advertisementChanged() }
    streams = ValueStreams(definition, inbox, scheduler)
    attributes = definition.sought.isEmpty ? nil : CentralAttributes(definition)
    attributes?.onWrite = { [streams] in streams?.take($1, from: .sought($0)) }
    let settings = standIn?.definition.settings.map(\.initial) ?? settings
    let definition = standIn?.device(for: definition) ?? definition
    wire =
      definition.hasWireSide
      ? LoopbackWire("transcript") { [streams] in streams?.take($0, from: .wire) } : nil
    let attachment = wire?.attachment(isPaced: isPaced, for: definition, on: transport, scheduler)
    let faults = FaultStage(of: definition, seed: seed, scheduler: scheduler)
    self.faults = faults
    let peripheral = LivePeripheral(
      definition, settings: settings, transport: FaultyTransport(transport, faults),
      wire: attachment.map { FaultyWire($0, faults) }, scheduler: scheduler,
      sinks: [RemarkSink(inbox)] + (furtherSink.map { [$0] } ?? []), options: EngineOptions(seed: seed))
    self.peripheral = peripheral
    if standIn == nil { streams?.peripheral = peripheral }
    try await peripheral.start()
  }

  package func tearDown() async {
    endLink()
    await peripheral?.stop()
    peripheral = nil
  }

  package var unfinished: [(source: Arrival.Source, bytes: [UInt8])] { streams?.unfinished ?? [] }

  package func putIntoWire(_ bytes: [UInt8]) throws {
    wire?.put(try peripheral?.codedByPeer(bytes, for: .wire) ?? bytes)
  }

  package func control(_ event: ControlEvent) { peripheral?.receive(.controlled(event), respond: nil) }

  private func advertisementChanged() {
    guard remarksOnAdvertising else { return }
    inbox.append(LogRemark(time: now, text: AdvertisementText.write(advertisement)))
  }

}

// MARK: The central

extension LoopbackTestBed {
  package func connect(_ connection: Step.Connection) {
    switch connection {
    case .client(let mtu):
      let central = transport.connect(mtu: mtu, attributes: attributes)
      central.onValue = { [streams, standIn] in
        guard let original = standIn == nil ? $0 : standIn?.original(of: $0) else { return }
        streams?.take($1, from: .characteristic(original))
      }
      central.link.onSDU = { [streams] in streams?.take($1, from: .channel($0)) }
      central.link.onClose = { [weak self] in
        if let self { inbox.append(Arrival(at: now, from: .channelEnd($0))) }
      }
      central.onDisconnect = { [weak self] in self?.lost() }
      self.central = central
    case .raw:
      rawCentral = transport.connectRaw { [weak self] in
        if let self { inbox.append(Arrival(at: now, from: .pdu, $0)) }
      } onDisconnect: { [weak self] in
        self?.lost()
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
    guard let outcome = (central?.link ?? rawCentral)?.pair(request) else { throw TestBedError.disconnected }
    if case .failed = outcome {
      endLink()
      inbox.remove { $0.source == .disconnection }
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
    transport.unpair()
  }

  package func send(pdu: [UInt8]) throws {
    guard let rawCentral else { throw TestBedError.notRaw }
    rawCentral.send(pdu)
  }

  private func lost() {
    (central, rawCentral) = (nil, nil)
    streams?.end()
    inbox.append(Arrival(at: now, from: .disconnection))
  }

  package func found() throws -> [FoundCharacteristic] {
    _ = try connected()
    return transport.device?.table.found() ?? []
  }

  package func subscribe(to characteristic: Int) async throws -> Response {
    let central = try connected()
    guard let own = own(characteristic) else { return .refused(.attributeNotFound) }
    return await response { () throws(ATTError) in
      try central.subscribe(to: own)
      return .accepted
    }
  }

  package func openChannel(_ channel: Int) throws -> Response {
    let link = try connected().link
    let id = streams?.name(of: .channel(channel)) ?? ""
    if standIn != nil { throw TestBedError("the device has no channel \(id)") }
    let result = link.openChannel(channel)
    return result == .success ? .accepted : try TestBedError.response(to: .refused(result), of: id)
  }

  package func closeChannel(_ channel: Int) throws {
    try opened(channel).closeChannel(channel)
  }

  package func transmit(_ bytes: [UInt8], in channel: Int) throws {
    let link = try opened(channel)
    link.send(try peripheral?.codedByPeer(bytes, for: .channel(channel)) ?? bytes, in: channel)
  }

  package func serve(_ value: CentralAttributes.Value, for sought: Int) throws {
    try TestBedError.check(attributes?.serve(value, for: sought), streams?.name(of: .sought(sought)), standIn)
  }

  package func tell(_ value: [UInt8], from sought: Int) throws {
    _ = try connected()
    guard let attributes, attributes.isSubscribed(sought) else {
      throw TestBedError.notSubscribed(to: streams?.name(of: .sought(sought)) ?? "")
    }
    attributes.tell(try peripheral?.codedByPeer(value, for: .sought(sought)) ?? value, from: sought)
  }

  private func opened(_ channel: Int) throws -> LoopbackLink {
    let link = try connected().link
    guard link.hasOpen(channel) else { throw TestBedError.channelNotOpen }
    return link
  }

  package func unsubscribe(from characteristic: Int) throws -> Response {
    let central = try connected()
    if let own = own(characteristic) { central.unsubscribe(from: own) }
    return .accepted
  }

  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind
  ) async throws -> Response {
    let central = try connected()
    let value = try coded(value, for: attribute)
    guard let own = own(attribute) else { return .refused(.attributeNotFound) }
    let response = try response(to: { central.write(value, to: own, kind, respond: $0) })
    return kind == .command ? .accepted : response
  }

  /// The bytes on the air of a value.
  private func coded(_ value: [UInt8], for attribute: AttributeReference) throws -> [UInt8] {
    guard standIn == nil, case .characteristic(let index) = attribute else { return value }
    return try peripheral?.codedByPeer(value, for: .characteristic(index)) ?? value
  }

  package func read(_ attribute: AttributeReference) async throws -> Response {
    let central = try connected()
    guard let own = own(attribute) else { return .refused(.attributeNotFound) }
    return try response(to: { central.read(own, respond: $0) })
  }

  /// The attribute of the device that plays the part; nil: it has none.
  private func own(_ attribute: AttributeReference) -> AttributeReference? {
    standIn == nil ? attribute : standIn?.double(of: attribute)
  }

  private func own(_ characteristic: Int) -> Int? {
    standIn == nil ? characteristic : standIn?.double(of: characteristic)
  }

  private func connected() throws(TestBedError) -> LoopbackCentral {
    if let central { return central }
    throw rawCentral == nil ? TestBedError.disconnected : .onRawConnection
  }

  /// How long a central waits for a response (Core Specification, Vol 3 Part F 3.3.3).
  private static let requestLimit = Duration.seconds(30)

  /// Sends a request, and lets time pass until the device has responded. After 30 s the central leaves.
  private func response(to request: (@escaping Responder) -> Void) throws(TestBedError) -> Response {
    let pending = PendingAnswer()
    request { pending.response = $0 }
    let end = now.advanced(by: Self.requestLimit)
    while pending.response == nil, scheduler.performNext(until: end) {}
    if let response = pending.response { return response }
    endLink()
    throw TestBedError("the device has not responded within 30 s")
  }

  private func response(_ request: @EventLoop () async throws(ATTError) -> Response) async -> Response {
    do { return try await request() } catch { return .refused(error) }
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

/// The response to a request, once it has arrived.
@EventLoop
private final class PendingAnswer {
  var response: Response?
}
