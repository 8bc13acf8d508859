import BlemuControl
import BlemuJSON
import DeviceModel
import EventLoop
import Faults
import Framing
import Loopback
import Peripheral
import TestSupport

@testable import ControlServer
import Behavior

/// A lamp in memory with a control side, and a program that is connected to it.
@EventLoop
final class ControlledLamp {
  static let definition = TestSupport.definition(
    """
    advertisement: { local-name: Lamp, services: [FFE0] }
    settings:
      level: { type: integer, default: 50, min: 0, max: 100 }
      title: { type: text, default: Lamp, max: 8 }
    variables: { lit: { type: boolean, default: false } }
    states: [idle, busy]
    services:
      - uuid: FFE0
        characteristics:
          - { id: switch, uuid: FFE1, properties: [read, write, write-without-response, notify], value: "00" }
          - { id: level, uuid: FFE2, properties: [read], value: "{level: u8}" }
          - { id: stream, uuid: FFE3, properties: [write, notify] }
    framing: { stream: { delimiter: "0A" } }
    messages:
      turn: "01 {state: u8}"
      turned: "81 {state: u8} {note: bytes}"
      line: { text: "go {count: dec}" }
    controls: { button: { label: The button, do: [ { log: pressed } ] }, lamp: { set: lit } }
    wire: { bridge: { from: stream, to: stream } }
    rules:
      - on: { receive: turn, from: switch }
        do: [ { send: turned, with: { note: "bytes('')" } }, { log: "turned to {state}" }, { enter: busy } ]
      - { on: { receive: line, from: stream }, do: [ { log: "went {count}" } ] }
    """)

  let journal = Journal()
  let transport: LoopbackTransport
  let peripheral: LivePeripheral
  let folder = TemporaryFolder()
  private(set) var server: ControlServer?
  private(set) var wasStopped = false

  init(
    _ definition: PeripheralDefinition = ControlledLamp.definition, limits: any TransportLimits = NoLimits(),
    on scheduler: any Scheduler = EventLoopScheduler()
  ) async throws {
    let stage = FaultStage(of: definition, seed: 7, scheduler: scheduler)
    transport = LoopbackTransport(limits: limits, scheduler: scheduler)
    peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial),
      transport: FaultyTransport(transport, stage),
      wire: FaultyWire(LoopbackWire("test"), stage), scheduler: scheduler, sinks: [journal])
    server = try ControlServer(
      of: ControlledDevice(
        name: "lamp",
        source: .init(
          file: "lamp.yaml", reference: { "lamp.yaml" }, settings: definition.settings.map(\.initial), seed: 7
        ),
        transport: "loopback", peripheral: peripheral,
        definition: definition,
        journal: journal, faults: stage, memory: transport, stop: { [weak self] in self?.wasStopped = true }),
      at: path)
    try await peripheral.start()
  }

  nonisolated var path: String { folder.path + "lamp.sock" }

  func close() { server?.close() }

  /// Lets the journal have messages.
  func log(_ text: String, times: Int) {
    for _ in 0..<times { journal.take(TrafficEvent(time: EventLoopScheduler().now, kind: .log(text))) }
  }

  func forget() { server = nil }
}
