import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback

@testable import Peripheral

/// A device on the loopback, with a manual clock and a fake wire.
@EventLoop
final class DeviceHarness {
  let peripheral: LivePeripheral
  let transport: LoopbackTransport
  let wire = LoopbackWire("test")
  let scheduler = ManualScheduler()
  let traffic = RecordingSink()
  private(set) var pacedWire: PacedWire?

  init(
    _ definition: PeripheralDefinition, settings: [Value]? = nil, memory: FakeMemory? = nil,
    forgetsBonds: Bool = false
  ) async throws {
    transport = LoopbackTransport(address: DeviceAddress("50:8C:B1:6A:7C:AB")!)
    peripheral = LivePeripheral(
      definition, settings: settings ?? definition.settings.map(\.initial), transport: transport, wire: wire,
      memory: memory, scheduler: scheduler, sinks: [traffic], forgetsBonds: forgetsBonds)
    try await peripheral.start()
  }

  /// Makes a device that is not on the air yet, with a paced wire around the fake one.
  init(
    off definition: PeripheralDefinition,
    wire makeWire: (any WireAttachment, any Transport, any Scheduler) -> PacedWire
  ) {
    transport = LoopbackTransport(address: DeviceAddress("50:8C:B1:6A:7C:AB")!)
    let paced = makeWire(wire, transport, scheduler)
    pacedWire = paced
    peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial), transport: transport, wire: paced,
      scheduler: scheduler, sinks: [traffic])
  }
}

extension TransportHost {
  /// The immediate response; nil if there is none.
  func response(to request: Event) -> Response? {
    var response: Response?
    receive(request) { response = $0 }
    return response
  }
}

/// Keeps settings, or reports a problem.
@EventLoop
final class FakeMemory: SettingsMemory {
  let settings: [Value]
  private(set) var kept: [[Value]] = []
  var bonds: [DeviceAddress: [Bond]] = [:]
  var problem: String?

  init(_ settings: [Value]) { self.settings = settings }

  func bonds(of device: DeviceAddress) -> [Bond] { bonds[device] ?? [] }

  func keep(_ settings: [Value]) -> String? {
    kept.append(settings)
    return problem
  }

  func keep(_ bonds: [Bond], of device: DeviceAddress) -> String? {
    self.bonds[device] = bonds
    return problem
  }

  func forgetBonds() -> String? {
    bonds = [:]
    return problem
  }
}

/// Records the traffic of a device.
@EventLoop
final class RecordingSink: TrafficSink {
  private(set) var events: [TrafficEvent] = []
  let takesFrames: Bool

  init(takesFrames: Bool = false) { self.takesFrames = takesFrames }

  var kinds: [TrafficEvent.Kind] { events.map(\.kind) }
  /// Called with each event.
  var onEvent: ((TrafficEvent) -> Void)?

  func take(_ event: TrafficEvent) {
    events.append(event)
    onEvent?(event)
  }

  /// Removes and returns the events since the last call.
  func takeKinds() -> [TrafficEvent.Kind] {
    defer { events = [] }
    return kinds
  }
}

/// Bytes that reveal a wrong order: each 16-bit number occurs once before the first is repeated.
func numberedBytes(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 % 2 == 0 ? $0 >> 9 : $0 >> 1) }
}
