import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Loopback
import Peripheral
import TestSupport

@testable import Faults

/// A device in memory that sends back what it gets, and what its faults make of the conversation.
@EventLoop
final class FaultBench {
  /// Sends from `down` what is written to `up`. `alarm` indicates.
  nonisolated static let device = definition(
    """
    advertisement: { local-name: Bench, services: [FFE0], manufacturer-data: { 4D48: "01 02 03" } }
    security: { io-capability: keyboard-display }
    states: [idle, streaming]
    services:
      - uuid: FFE0
        characteristics:
          - { id: up, uuid: FFE1, properties: [read, write, write-without-response], value: "2A", descriptors: [{ uuid: 2901, text: Up }] }
          - { id: down, uuid: FFE2, properties: [notify] }
          - { id: alarm, uuid: FFE3, properties: [indicate] }
          - { id: lines, uuid: FFE4, properties: [write-without-response] }
    framing: { lines: { delimiter: "0A" } }
    messages:
      total: "A5 {number: u8} {xor8}"
      stream: "57"
      rest: "58"
      alert: "59 {number: u8}"
    rules:
      - { on: { receive: stream, from: up }, do: [{ enter: streaming }, { send: { bytes: "{frame}" }, to: down }] }
      - { on: { receive: rest, from: up }, do: [{ enter: idle }, { send: { bytes: "{frame}" }, to: down }] }
      - { on: { receive: alert, from: up }, do: [{ send: { bytes: "01" }, to: alarm }, { send: { bytes: "02" }, to: alarm }, { send: { bytes: "03" }, to: alarm }] }
      - { on: { receive: any, from: up }, do: { send: { bytes: "{frame}" }, to: down } }
      - { on: { receive: any, from: wire }, do: { send: { bytes: "{frame}" }, to: wire } }
    wire: {}
    """)

  let scheduler = ManualScheduler()
  let transport: LoopbackTransport
  let wire = LoopbackWire("test")
  let stage: FaultStage
  let traffic = StrikeSink()
  private let peripheral: LivePeripheral
  private(set) var central: LoopbackCentral?
  /// What the central has received, and when.
  private(set) var received: [String] = []
  private(set) var isConnected = false

  init(_ faults: [String], seed: UInt64 = 1, definition: PeripheralDefinition = device) async throws {
    transport = LoopbackTransport(scheduler: scheduler)
    stage = FaultStage(of: definition, seed: seed, scheduler: scheduler)
    for text in faults { stage.add(try FaultReader(definition).read(text)) }
    peripheral = LivePeripheral(
      definition, settings: [], transport: FaultyTransport(transport, stage), wire: FaultyWire(wire, stage),
      scheduler: scheduler, sinks: [traffic])
    try await peripheral.start()
  }

  func connect(mtu: Int = 23) throws {
    let central = transport.connect(mtu: mtu)
    (self.central, isConnected) = (central, true)
    central.onValue = { [weak self] _, value in self?.note(value) }
    central.onDisconnect = { [weak self] in self?.isConnected = false }
    for (index, each) in stage.definition.characteristics.enumerated() where each.canNotify {
      central.subscribe(to: index) { _ in }  // a fault may refuse it
    }
  }

  private func note(_ value: [UInt8]) { received.append("\(time)  \(HexText.format(value))") }

  private var time: String { "\(scheduler.now.milliseconds)" }

  /// Writes values, a command each, with so much time after each.
  func write(_ values: [String], every pause: Duration = .milliseconds(100)) {
    for value in values {
      central?.write(hex(value), to: .characteristic(0), .command) { _ in }
      scheduler.advance(by: pause)
    }
  }

  /// Sends a request, and returns what has come of it within 40 s, and when.
  func request(_ value: String?) -> String {
    var response = "nothing"
    let take: Responder = { [self] in response = "\(time)  \(Self.text(of: $0))" }
    if let value {
      central?.write(hex(value), to: .characteristic(0), .request, respond: take)
    } else {
      central?.read(.characteristic(0), respond: take)
    }
    scheduler.advance(by: .seconds(40))
    return response
  }

  private static func text(of response: Response) -> String {
    switch response {
    case .accepted: "accepted"
    case .value(let value): HexText.format(value)
    case .refused(let error, _): error.name
    }
  }

  var strikes: [FaultStrike] { traffic.strikes }
}

/// Records the faults that have struck, and what each side has of values.
@EventLoop
final class StrikeSink: TrafficSink {
  private(set) var strikes: [FaultStrike] = []
  private(set) var warnings: [String] = []
  /// `<` and `>` are the central's or the wire's side, `sent` and `received` the device's; `both` has them alike.
  private(set) var sides: [String] = []

  func take(_ event: TrafficEvent) {
    switch event.kind {
    case .oneSided(let side, let kind): note(kind, side)
    default: note(event.kind, nil)
    }
    switch event.kind {
    case .fault(let strike): strikes.append(strike)
    case .warning(let text, _, _): warnings.append(text)
    default: break
    }
  }

  private func note(_ kind: TrafficEvent.Kind, _ side: TrafficEvent.Side?) {
    let (isOut, bytes): (Bool, [UInt8])
    switch kind {
    case .notify(_, let value, _), .indicate(_, let value, _), .wireOut(let value, _):
      (isOut, bytes) = (true, value)
    case .write(_, _, let value, _, _), .wireIn(let value): (isOut, bytes) = (false, value)
    case .fault: return sides.append("fault")
    default: return
    }
    let word =
      switch side {
      case .device: isOut ? "sent" : "received"
      case .peer: isOut ? "<" : ">"
      case nil: isOut ? "both <" : "both >"
      }
    sides.append("\(word) \(HexText.format(bytes))")
  }
}
