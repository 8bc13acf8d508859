import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import Peripheral
import TrafficView

/// A whole device in memory, on the loopback and a manual clock.
@EventLoop
final class PipelineHarness {
  private let definition: PeripheralDefinition
  private let transport = LoopbackTransport()
  private let scheduler = ManualScheduler()
  private let wire: LoopbackWire
  private let log = FuzzLog()
  private let peripheral: LivePeripheral
  private var centrals: [Int: LoopbackCentral] = [:]
  /// The time that may still pass. A device with a timer of 1 ms would never end.
  private var timeLeft: Int64 = 20_000

  init(_ definition: PeripheralDefinition, seed: UInt64 = 0) async throws {
    self.definition = definition
    let wire = LoopbackWire("fuzzer") { _ in }
    self.wire = wire
    peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial), transport: transport, wire: wire,
      scheduler: scheduler, sinks: [log], options: EngineOptions(seed: seed))
    try await peripheral.start()
  }

  func take(_ stimulus: Stimulus) async throws {
    switch stimulus {
    case .connects(let central):
      centrals[central] = transport.connect(Self.address(of: central), mtu: [23, 185, 247, 517][central])
    case .disconnects(let central): centrals.removeValue(forKey: central)?.disconnect()
    case .subscribes(let central, let index): try? centrals[central]?.subscribe(to: index)
    case .unsubscribes(let central, let index): centrals[central]?.unsubscribe(from: index)
    case .reads(let central, .characteristic(let index), _): try await read(central, index)
    case .writes(let central, .characteristic(let index), let bytes, let offset):
      try await write(bytes, to: index, central, offset)
    case .wire(let bytes): wire.put(bytes)
    case .passes(let milliseconds): pass(milliseconds)
    // A central of this transport has no descriptors.
    case .reads(_, .descriptor, _), .writes(_, .descriptor, _, _): break
    }
    try checkValues()
    if let problem = log.problem { throw BrokenGuarantee(description: problem) }
  }

  func stop() async { await peripheral.stop() }

  private static func address(of central: Int) -> DeviceAddress {
    DeviceAddress([0xC0, 0, 0, 0, 0, UInt8(central)])!
  }

  private func read(_ central: Int, _ index: Int) async throws {
    guard let value = try? await centrals[central]?.read(index) else { return }
    try guarantee(
      value.count <= CharacteristicDefinition.maximumValueSize, "a read returns \(value.count) bytes")
  }

  /// The log shows each write that reaches the device, once.
  private func write(_ bytes: [UInt8], to index: Int, _ number: Int, _ offset: Int) async throws {
    let (before, central) = (log.writes, centrals[number])
    // The server ignores a command that is not permitted, needs an encrypted link, or is longer than the MTU.
    let isCommand = offset % 2 != 0
    let needsEncryption = !definition.characteristics[index].permissions.isDisjoint(
      with: [.encryptWrite, .encryptAuthenticatedWrite, .secureWrite])
    let arrives =
      definition.characteristics.canWrite(.characteristic(index))
      && transport.device?.table.contains(index) == true
      && (!isCommand || !needsEncryption && bytes.count <= (central?.mtu ?? 0) - 3)
    do {
      try await central?.write(bytes, to: index, isCommand ? .command : .request)
    } catch  where log.writes == before {
      return  // refused before the device was asked
    } catch {}
    let count = log.writes - before
    try guarantee(
      count == (central != nil && arrives ? 1 : 0), "the log shows \(count) writes for one")
  }

  private func pass(_ milliseconds: Int64) {
    let step = min(milliseconds, timeLeft)
    timeLeft -= step
    scheduler.advance(by: .milliseconds(step))
  }

  private func checkValues() throws {
    for central in centrals.values {
      for index in definition.characteristics.indices {
        for value in central.takeValues(from: index) {
          try guarantee(
            value.count <= central.mtu - 3, "a value has \(value.count) bytes with an MTU of \(central.mtu)")
          let limit = definition.link.maximumValue ?? .max
          try guarantee(
            value.count <= limit, "a value has \(value.count) bytes; the device's own limit is \(limit)")
        }
      }
    }
  }
}

/// Formats all traffic in both formats and checks the text.
@EventLoop
private final class FuzzLog: TrafficSink {
  private(set) var writes = 0
  private(set) var problem: String?

  func take(_ event: TrafficEvent) {
    if case .write = event.kind { writes += 1 }
    let text = TextFormat().text(for: event.kind, at: WallTime(microseconds: 0))
    if let scalar = text.unicodeScalars.first(where: {
      $0 != "\n" && $0.properties.generalCategory == .control
    }) {
      problem = "U+\(String(scalar.value, radix: 16)) in the log: \(text)"
    }
    let json = JSONFormat().text(for: event.kind, at: WallTime(microseconds: 0))
    if !json.hasSuffix("}\n") || json.dropLast().contains("\n") { problem = "not one line: \(json)" }
  }
}
