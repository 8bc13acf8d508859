import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import Testing

@testable import Peripheral

/// A central as a transport's tests need it.
@EventLoop
protocol TestCentral {
  func subscribe(to characteristic: Int, by delivery: Delivery?) throws(ATTError)
  func unsubscribe(from characteristic: Int)
  func write(_ value: [UInt8], to characteristic: Int, _ kind: WriteKind) async throws(ATTError)
  func read(_ characteristic: Int) async throws(ATTError) -> [UInt8]
  func takeValues(from characteristic: Int) -> [[UInt8]]
  func disconnect()
}

extension LoopbackCentral: TestCentral {}

/// A transport, and a way to its other side.
struct TransportUnderTest: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// A fresh transport, and what connects a central to it.
  let make: @EventLoop @Sendable () -> (any Transport, @EventLoop () -> any TestCentral)

  static let all = [
    TransportUnderTest(testDescription: "loopback") {
      let transport = LoopbackTransport()
      return (transport, { transport.connect() })
    }
  ]
}

/// Answers for a device by the book: each write is the value from then on, and 80 is refused.
@EventLoop
private final class ScriptedHost: TransportHost {
  private(set) var log: [String] = []
  var value: [UInt8] = [1]

  func receive(_ event: Event, respond: Responder?) {
    if let response = take(event) { respond?(response) }
  }

  private func take(_ event: Event) -> Response? {
    switch event {
    case .connected: log.append("connected")
    case .disconnected: log.append("disconnected")
    case .subscribed(_, let characteristic, let delivery): log.append("\(delivery) of \(characteristic)")
    case .unsubscribed(_, let characteristic): log.append("unsubscribed \(characteristic)")
    case .confirmed(_, let characteristic): log.append("confirmed \(characteristic)")
    case .readRequested: return value.first == 0x80 ? .refused(ATTError(rawValue: 0x80)) : .value(value)
    case .writeRequested(_, _, let bytes, _, let kind):
      log.append("\(kind?.rawValue ?? "some write") \(bytes)")
      if bytes.first == 0x80 { return .refused(ATTError(rawValue: 0x80)) }
      value = bytes
      return .accepted
    case .started, .wireReceived, .timerFired: log.append("\(event)")
    }
    return nil
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
  func fellOffAir(_ reason: String) { log.append("off: \(reason)") }
  func cameBackOnAir() { log.append("back") }
  func warn(_ message: String) { log.append("warned: \(message)") }
}

/// What every transport must do, whatever it stands on.
@Suite struct TransportConformanceTests {
  static let device = definition(
    """
    services:
      - uuid: FFE0
        characteristics:
          - { id: all, uuid: FFE1, properties: [read, write, write-without-response, notify] }
          - { id: inlet, uuid: FFE2, properties: [write] }
          - { id: outlet, uuid: FFE3, properties: [indicate] }
    """)

  @EventLoop
  private func onAir(
    _ subject: TransportUnderTest
  ) async throws -> (transport: any Transport, host: ScriptedHost, connect: @EventLoop () -> any TestCentral)
  {
    let (transport, connect) = subject.make()
    let host = ScriptedHost()
    transport.host = host
    _ = try await transport.open()
    try await transport.goOnAir(
      DeviceOnAir(
        definition: Self.device, table: try Self.device.attributes(in: Self.device.initialContext),
        advertisement: Advertisement(), deviceName: "Device"))
    return (transport, host, connect)
  }

  @EventLoop @Test(arguments: TransportUnderTest.all)
  func `the host learns who comes, subscribes, and goes`(subject: TransportUnderTest) async throws {
    let (transport, host, connect) = try await onAir(subject)
    let central = connect()
    try central.subscribe(to: 0, by: nil)
    try central.subscribe(to: 0, by: nil)
    central.unsubscribe(from: 0)
    central.unsubscribe(from: 0)
    try central.subscribe(to: 2, by: nil)
    central.disconnect()
    central.disconnect()
    #expect(
      host.log == [
        "connected", "notification of 0", "unsubscribed 0", "indication of 2", "unsubscribed 2",
        "disconnected",
      ])
    await transport.leaveAir()
  }

  @EventLoop @Test(arguments: TransportUnderTest.all)
  func `writes and reads reach the host, and its answer the central`(subject: TransportUnderTest) async throws
  {
    let (transport, host, connect) = try await onAir(subject)
    let central = connect()
    #expect(try await central.read(0) == [1])
    try await central.write([5, 6], to: 0, .request)
    try await central.write([7], to: 0, .command)
    #expect(try await central.read(0) == [7])
    await #expect(throws: ATTError(rawValue: 0x80)) { try await central.write([0x80], to: 0, .request) }
    host.value = [0x80]
    await #expect(throws: ATTError(rawValue: 0x80)) { try await central.read(0) }
    #expect(host.log == ["connected", "request [5, 6]", "command [7]", "request [128]"])
    await transport.leaveAir()
  }

  @EventLoop @Test(arguments: TransportUnderTest.all)
  func `what a characteristic's properties forbid never reaches the host`(
    subject: TransportUnderTest
  ) async throws {
    let (transport, host, connect) = try await onAir(subject)
    let central = connect()
    await #expect(throws: ATTError.readNotPermitted) { try await central.read(1) }
    await #expect(throws: ATTError.writeNotPermitted) { try await central.write([1], to: 2, .request) }
    await #expect(throws: ATTError.writeNotPermitted) { try await central.write([1], to: 1, .command) }
    #expect(throws: ATTError.self) { try central.subscribe(to: 1, by: nil) }
    #expect(host.log == ["connected"])
    await transport.leaveAir()
  }

  @EventLoop @Test(arguments: TransportUnderTest.all)
  func `what is served no longer is not found, nor asks the host`(subject: TransportUnderTest) async throws {
    let (transport, host, connect) = try await onAir(subject)
    var table = try Self.device.attributes(in: Self.device.initialContext)
    table.services[0].characteristics.removeFirst()
    transport.serve(table)
    let central = connect()
    await #expect(throws: ATTError.attributeNotFound) { try await central.read(0) }
    await #expect(throws: ATTError.attributeNotFound) { try await central.write([1], to: 0, .request) }
    #expect(throws: ATTError.attributeNotFound) { try central.subscribe(to: 0, by: nil) }
    try await central.write([1], to: 1, .request)
    #expect(host.log == ["connected", "request [1]"])
    await transport.leaveAir()
  }

  @EventLoop @Test(arguments: TransportUnderTest.all)
  func `values reach who subscribed, in order, and it is said how`(subject: TransportUnderTest) async throws {
    let (transport, _, connect) = try await onAir(subject)
    #expect(transport.maximumValue(of: 0, to: .subscribers) == nil)
    #expect(transport.send([9], from: 0, to: .subscribers) == .nobodySubscribed)
    let central = connect()
    #expect(transport.send([9], from: 0, to: .subscribers) == .nobodySubscribed)
    try central.subscribe(to: 0, by: nil)
    try central.subscribe(to: 2, by: nil)
    #expect(transport.maximumValue(of: 0, to: .subscribers).map { $0 >= 20 } == true)
    for number in 0..<100 { #expect(transport.send([UInt8(number)], from: 0, to: .subscribers) == .notified) }
    #expect(transport.send([7], from: 2, to: .subscribers) == .indicated)
    #expect(transport.send([], from: 0, to: .subscribers) == .notified)
    #expect(central.takeValues(from: 0) == (0..<100).map { [UInt8($0)] } + [[]])
    #expect(central.takeValues(from: 2) == [[7]])
    central.unsubscribe(from: 0)
    #expect(transport.send([9], from: 0, to: .subscribers) == .nobodySubscribed)
    #expect(central.takeValues(from: 0) == [])
    await transport.leaveAir()
  }

  @EventLoop @Test(arguments: TransportUnderTest.all)
  func `whoever is there when the device leaves the air is gone`(subject: TransportUnderTest) async throws {
    let (transport, host, connect) = try await onAir(subject)
    let central = connect()
    try central.subscribe(to: 0, by: nil)
    await transport.leaveAir()
    await transport.leaveAir()
    #expect(host.log == ["connected", "notification of 0", "unsubscribed 0", "disconnected"])
    #expect(transport.send([9], from: 0, to: .subscribers) == .nobodySubscribed)
  }
}
