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

/// The device side of a test bed: the device with its wire side and its faults, its output, and what it may find at its central.
@EventLoop
package final class TestedDevice {
  /// The device's output that no line has taken yet.
  package let inbox = Inbox()
  private var scheduler: any Scheduler
  /// The time of earlier devices whose clocks began at zero.
  private var earlier = Instant()
  /// That of the conversation, also if another device plays its part.
  private(set) var definition: PeripheralDefinition?
  /// What belongs to one central.
  private struct Part {
    let streams: ValueStreams
    let attributes: CentralAttributes?
  }

  /// By the names of the centrals; nil: the usual one.
  private var parts: [String?: Part] = [:]
  /// The central of the present line.
  private(set) var part: String?
  var streams: ValueStreams? { parts[part]?.streams }
  /// What the device may find at the central; nil: it looks for nothing.
  var attributes: CentralAttributes? { parts[part]?.attributes }
  private(set) var peripheral: LivePeripheral?
  /// The deliberate faults of the device; nil: it has not started.
  private(set) var faults: FaultStage?
  private var wire: LoopbackWire?

  /// Records what each device hears and says, if the transport can be recorded.
  package var recorder: (any AirRecorder)?
  /// Also receives the device's events.
  package var furtherSink: (any TrafficSink)?
  /// The device that plays the part of the definition; nil: the definition itself. It has its own initial settings, and the
  /// central joins and decodes values as the definition says.
  package var standIn: StandIn?

  init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

  var now: Instant { scheduler.now }
  /// The time of all devices so far, one after the other.
  package var total: Instant { earlier.advanced(by: Instant().duration(to: now)) }
}

// MARK: Starting and stopping

extension TestedDevice {
  /// Starts a device in its initial state.
  ///
  /// - Parameters:
  ///   - observer: also receives its events.
  func start(
    _ definition: PeripheralDefinition, settings: [Value], options: EngineOptions, isPaced: Bool,
    on transport: any Transport, _ scheduler: any Scheduler, observer: (any TrafficSink)? = nil
  ) async throws {
    inbox.clear()
    if scheduler !== self.scheduler { (earlier, self.scheduler) = (total, scheduler) }
    self.definition = definition
    parts = [:]
    take(part: nil)
    let settings = standIn?.definition.settings.map(\.initial) ?? settings
    let definition = standIn?.device(for: definition) ?? definition
    wire =
      definition.hasWireSide
      ? LoopbackWire("transcript") { [streams] in streams?.take($0, from: .wire) } : nil
    (transport as? any ServerTransport)?.recorder = recorder
    let attachment = wire?.attachment(isPaced: isPaced, for: definition, on: transport, scheduler)
    let faults = FaultStage(of: definition, seed: options.seed, scheduler: scheduler)
    self.faults = faults
    let peripheral = LivePeripheral(
      definition, settings: settings, transport: FaultyTransport(transport, faults),
      wire: attachment.map { FaultyWire($0, faults) }, scheduler: scheduler,
      sinks: [RemarkSink(inbox)] + [observer, furtherSink].compactMap(\.self),
      options: options)
    self.peripheral = peripheral
    if standIn == nil { streams?.peripheral = peripheral }
    try await peripheral.start()
  }

  /// The next actions and values are those of the central with this name; nil: of the usual one.
  func take(part: String?) {
    self.part = part
    guard parts[part] == nil, let definition else { return }
    let streams = ValueStreams(definition, inbox, scheduler, of: part)
    if standIn == nil { streams.peripheral = peripheral }
    let attributes = definition.sought.isEmpty ? nil : CentralAttributes(definition)
    attributes?.onWrite = { streams.take($1, from: .sought($0)) }
    parts[part] = Part(streams: streams, attributes: attributes)
  }

  func stop() async {
    await peripheral?.stop()
    peripheral = nil
  }
}

// MARK: Output

extension TestedDevice {
  func append(_ source: Arrival.Source, _ bytes: [UInt8] = []) {
    inbox.append(Arrival(at: now, from: source, bytes))
  }

  /// The device has ended the connection of a central.
  func hasDisconnected(_ part: String? = nil) {
    parts[part]?.streams.end()
    append(.disconnection.at(part))
  }
}

// MARK: Actions

extension TestedDevice {
  func name(of place: Endpoint) -> String { definition?.name(of: place) ?? "" }

  func putIntoWire(_ bytes: [UInt8]) throws {
    wire?.put(try peripheral?.codedByPeer(bytes, for: .wire) ?? bytes)
  }

  /// Operates the device as a person does.
  func control(_ event: ControlEvent) { peripheral?.receive(.controlled(event), respond: nil) }

  func startedFaults() throws(TestBedError) -> FaultStage {
    if let faults { return faults }
    throw TestBedError("the device is not on the air")
  }

  /// The bytes on the air of a value of the central.
  func coded(_ value: [UInt8], for place: Endpoint) throws -> [UInt8] {
    try standIn == nil ? peripheral?.codedByPeer(value, for: place) ?? value : value
  }

  /// The central has something that the device seeks, with this value; nil: it has it no more.
  func serve(_ value: CentralAttributes.Value?, for sought: Int) throws(TestBedError) {
    if standIn != nil { throw TestBedError("another device looks for nothing at its central") }
    attributes?.serve(value, for: sought)
  }

  /// Sends a value of something that the device seeks, to which the device has subscribed.
  func tell(_ value: [UInt8], from sought: Int) throws {
    guard let attributes, attributes.isSubscribed(sought) else {
      throw TestBedError("the device has not subscribed to \(name(of: .sought(sought)))")
    }
    attributes.tell(try coded(value, for: .sought(sought)), from: sought)
  }
}
