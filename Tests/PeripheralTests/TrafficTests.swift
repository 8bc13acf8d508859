import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback
import TestSupport
import Testing

@testable import Peripheral

@Suite struct TrafficTests {
  let central = DeviceAddress([0, 0, 0, 0, 0, 2])!

  @EventLoop @Test func `all traffic is shown in order`() async throws {
    let harness = try await DeviceHarness(bundled("bracelet"))
    guard case .onAir(let device) = harness.traffic.takeKinds().first else {
      Issue.record("the first event is not onAir")
      return
    }
    #expect(device.name == "Bracelet")
    #expect(device.services == [0xFFE0])
    #expect(device.adapter.address == DeviceAddress("50:8C:B1:6A:7C:AB"))
    #expect(device.wire == "test")

    let remote = harness.transport.connect()
    try remote.subscribe(to: 0)
    try await remote.write(hex("A5 06 03 01 02 A3"), to: 0)
    try await remote.write(hex("A5 06 03 01 02 FF"), to: 0, .command)
    try await remote.write(hex("A5 07 04 01 02 63 C6"), to: 0)
    _ = try await remote.read(0)
    remote.unsubscribe(from: 0)
    try await remote.write(hex("A5 06 03 01 02 A3"), to: 0)
    remote.disconnect()
    await harness.peripheral.stop()

    var totals = TrafficEvent.Totals()
    (totals.centrals, totals.valuesIn, totals.valuesOut, totals.valuesLost) = (1, 4, 1, 1)
    let answer = hex("A5 06 83 05 00 25")
    let bad = "not a frame: checksum is FF, should be A3"
    #expect(
      harness.traffic.takeKinds() == [
        .connected(central),
        .subscribed(central, "serial"),
        .write(central, "serial", hex("A5 06 03 01 02 A3"), .request, refused: nil),
        .notify("serial", answer, message: "day-total"),
        .write(central, "serial", hex("A5 06 03 01 02 FF"), .command, refused: nil),
        .warning(bad, attribute: "serial", hex("A5 06 03 01 02 FF")),
        .write(central, "serial", hex("A5 07 04 01 02 63 C6"), .request, refused: nil),
        .log("packet 99 of a day that has fewer: no answer"),
        .read(central, "serial", hex("A5 07 04 01 02 63 C6"), refused: nil),
        .unsubscribed(central, "serial"),
        .write(central, "serial", hex("A5 06 03 01 02 A3"), .request, refused: nil),
        .warning("not sent: no central has subscribed", attribute: "serial", answer),
        .disconnected(central, .remoteUserTerminated),
        .offAir(.stopped(restoringAdapter: false), totals),
      ])
  }

  @EventLoop @Test func `both directions of the wire side are shown`() async throws {
    let harness = try await DeviceHarness(bundled("hm-10-cable"))
    let remote = harness.transport.connect()
    try remote.subscribe(to: serial)
    _ = harness.traffic.takeKinds()
    try await remote.write([1], to: serial, .command)
    harness.wire.put(numberedBytes(21))
    #expect(
      harness.traffic.takeKinds() == [
        .write(central, "FFE1", [1], .command, refused: nil), .wireOut([1]), .wireIn(numberedBytes(21)),
        .notify("FFE1", Array(numberedBytes(21).prefix(20))), .notify("FFE1", [numberedBytes(21)[20]]),
      ])
  }

  @EventLoop @Test func `a frame that is one value is no event of its own`() async throws {
    let (transport, wire, traffic) = (
      LoopbackTransport(), LoopbackWire("test"), RecordingSink(takesFrames: true)
    )
    let peripheral = LivePeripheral(
      definition(
        """
        services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
        framing: { in: { start: A5, length: { at: 1, width: 1, counts: frame } } }
        rules:
          - { on: { receive: { bytes: "A5 03 01" }, from: in }, do: { log: in } }
          - { on: { receive: { bytes: "07" }, from: wire }, do: { log: wire } }
        """), settings: [], transport: transport, wire: wire, scheduler: ManualScheduler(), sinks: [traffic])
    try await peripheral.start()
    let remote = transport.connect()
    _ = traffic.takeKinds()
    for value in ["A5 03 01", "A5", "03 01"] { try await remote.write(hex(value), to: 0) }
    wire.put([7])
    #expect(
      traffic.takeKinds() == [
        .write(central, "in", hex("A5 03 01"), .request, refused: nil), .log("in"),
        .write(central, "in", hex("A5"), .request, refused: nil),
        .write(central, "in", hex("03 01"), .request, refused: nil),
        .frame(central, "in", hex("A5 03 01"), isSent: false), .log("in"),
        .wireIn([7]), .log("wire"),
      ])
  }

  @EventLoop @Test func `a refusal is shown with its error, a descriptor with its UUID`() async throws {
    let harness = try await DeviceHarness(bundled("hm-10-cable"))
    _ = harness.traffic.takeKinds()
    let host = harness.peripheral
    #expect(
      host.response(to: .readRequested(nil, .descriptor(0, of: serial), offset: 2))
        == .value(hex("53 6F 66 74")))
    #expect(
      host.response(to: .readRequested(nil, .characteristic(serial), offset: 7)) == .refused(.invalidOffset))
    let long = [UInt8](repeating: 0, count: 513)
    #expect(
      host.response(
        to: .writeRequested(central, .characteristic(serial), value: long, offset: 0, .reliable))
        == .refused(.invalidAttributeValueLength))
    #expect(
      harness.traffic.takeKinds() == [
        .read(nil, "FFE1/2901", hex("53 6F 66 74"), refused: nil),
        .read(nil, "FFE1", [], refused: .invalidOffset),
        .write(central, "FFE1", long, .reliable, refused: .invalidAttributeValueLength),
      ])
    #expect(harness.wire.written == [])
  }

  @EventLoop @Test func `values from an absent characteristic are dropped until the device has it`()
    async throws
  {
    let harness = try await DeviceHarness(
      definition(
        """
        settings: { has-out: { type: boolean, default: false }, port: { type: bytes, max: 2, default: FFE0 } }
        services:
          - id: port
            uuid: "{port}"
            characteristics:
              - { id: in, uuid: FFE1, properties: [write] }
              - { id: out, uuid: FFE2, if: has-out, properties: [notify] }
        rules:
          - { on: { receive: { bytes: "01" } }, do: { send: { bytes: "02" }, to: out } }
          - { on: { receive: { bytes: "03" } }, do: [{ set: { has-out: true, port: bytes('FFF0') } }, reset] }
        """))
    let early = harness.transport.connect()
    #expect(throws: ATTError.attributeNotFound) { try early.subscribe(to: 1) }
    _ = harness.traffic.takeKinds()
    try await early.write([1], to: 0)
    #expect(
      harness.traffic.takeKinds().last
        == .warning("not sent: the device does not have this characteristic now", attribute: "out", [2]))
    try await early.write([3], to: 0)
    let late = harness.transport.connect()
    try late.subscribe(to: 1)
    try await late.write([1], to: 0)
    #expect(late.takeValues(from: 1) == [[2]])
    harness.peripheral.fellOffAir("the adapter is gone")
    harness.peripheral.cameBackOnAir()
    guard case .onAir(let device) = harness.traffic.kinds.last else {
      Issue.record("there is no onAir event after the return")
      return
    }
    #expect(device.services == [0xFFF0])
  }

  @EventLoop @Test func `a value for a central that is out of sync is lost, and the log says why`()
    async throws
  {
    let harness = try await DeviceHarness(
      definition(
        """
        settings: { has-more: { type: boolean, default: false } }
        services:
          - uuid: 1801
            characteristics:
              - { uuid: 2B29, properties: [read, write] }
              - { uuid: 2B2A, properties: [read] }
          - uuid: FFE0
            characteristics:
              - { id: in, uuid: FFE1, properties: [write] }
              - { id: more, uuid: FFE2, properties: [read], if: has-more }
              - { id: out, uuid: FFE3, properties: [notify] }
        rules:
          - { on: { receive: any, from: wire }, do: { send: { bytes: "02" }, to: out } }
          - { on: { receive: any }, do: [{ set: { has-more: true } }, reset] }
        """))
    let early = harness.transport.connect()
    early.link.pair(PairingRequest(bonds: true)) { #expect($0 == .paired(bonded: true)) }
    try await early.write([0x01], to: 0)  // Robust Caching
    try early.subscribe(to: 4)
    try await early.write([0x43], to: 2)
    let late = harness.transport.connect()
    _ = harness.traffic.takeKinds()
    harness.wire.put([0x57])
    let reason =
      "not sent: the central does not know that the attributes have changed; it gets values once it has confirmed "
      + "Service Changed, or has read the Database Hash and sent another request"
    #expect(harness.traffic.takeKinds().last == .warning(reason, attribute: "out", [2]))
    await #expect(throws: ATTError.databaseOutOfSync) { try await late.read(0) }
    #expect(try await late.read(0) == [0x01])
    harness.wire.put([0x57])
    #expect(late.takeValues(from: 4) == [[2]])
  }

  @Test func `Service Changed is an indication`() throws {
    let names = TrafficNames(
      definition(
        "services: [{ uuid: 1801, characteristics: [{ id: change, uuid: 2A05, properties: [indicate] }] }]"))
    let ids: [(Int?, String)] = [(0, "change"), (nil, "2A05")]
    for (index, id) in ids {
      let event = Event.serviceChanged(central, characteristic: index, value: [1, 0, 0xFF, 0xFF])
      #expect(
        TrafficEvent.Kind.of(event, nil, in: names)
          == .indicate(id, [1, 0, 0xFF, 0xFF], message: "Service Changed"))
    }
  }

  @EventLoop @Test func `an unfinished frame ends at its deadline`() async throws {
    let harness = try await DeviceHarness(bundled("bracelet"))
    let remote = harness.transport.connect()
    try remote.subscribe(to: 0)
    _ = harness.traffic.takeKinds()
    harness.scheduler.advance(by: .seconds(600))
    try await remote.write(hex("A5 06 03"), to: 0)
    harness.scheduler.advance(by: .milliseconds(199))
    #expect(harness.traffic.takeKinds().count == 1)
    harness.scheduler.advance(by: .milliseconds(2))
    let reason = "not a frame: unfinished after 200 ms of silence"
    #expect(
      harness.traffic.events == [
        TrafficEvent(
          time: .milliseconds(600_200), kind: .warning(reason, attribute: "serial", hex("A5 06 03")))
      ])
    try await remote.write(hex("A5 06 03"), to: 0)
    harness.scheduler.advance(by: .milliseconds(199))
    try await remote.write(hex("01 02 A3"), to: 0)
    harness.scheduler.advance(by: .seconds(600))
    #expect(remote.takeValues(from: 0) == [hex("A5 06 83 05 00 25")])
  }
}
