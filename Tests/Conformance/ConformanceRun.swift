import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A device on a transport, for one check.
@EventLoop
final class ConformanceRun {
  /// A limit against hanging. A radio needs time.
  private static let patience = Duration.seconds(120)

  let subject: TransportUnderTest
  let transport: any Transport
  let host: ScriptedHost
  private let hasChanged = Condition()
  /// The values that each central has received, by its number.
  private var received: [Int: [(characteristic: Int, value: [UInt8])]] = [:]
  private var centrals: [any ConformanceCentral] = []
  private var table: AttributeTable

  init(_ subject: TransportUnderTest) async throws {
    self.subject = subject
    transport = subject.makeTransport()
    host = ScriptedHost(hasChanged, tellsWriteKind: subject.abilities.contains(.tellsWriteKind))
    transport.host = host
    let device = ConformanceCheck.device
    table = try device.attributes(in: device.initialContext)
    _ = try await transport.open()
    try await transport.goOnAir(
      DeviceOnAir(
        definition: device, table: table,
        advertisement: try ConformanceCheck.advertisement, deviceName: device.name))
    await transport.connections.watchCentrals()
  }

  /// Connects the next central.
  func connect() async throws -> any ConformanceCentral {
    let number = centrals.count
    let central = try await subject.connect(transport, number, table)
    central.onValue = { [weak self] in self?.receive($0, $1, at: number) }
    centrals.append(central)
    try await expect("the transport reports the central") {
      transport.connections.mtu(of: central.address) != nil || !host.log.isEmpty
    }
    return central
  }

  func serve(_ table: AttributeTable) {
    self.table = table
    transport.serve(table, toConnected: false)
  }

  func end() async {
    for central in centrals { await central.disconnect() }
    await transport.leaveAir()
  }

  private func receive(_ characteristic: Int, _ value: [UInt8], at number: Int) {
    received[number, default: []].append((characteristic, value))
    hasChanged.signal()
  }
}

// MARK: Expectations

extension ConformanceRun {
  /// Waits until a condition is true.
  func expect(_ fact: String, _ isTrue: () -> Bool) async throws {
    guard await hasChanged.wait(for: Self.patience, until: isTrue) else {
      throw ConformanceFailure(description: "missing: \(fact); the host has seen \(host.log)")
    }
  }

  /// Waits until the host has seen this many events, and compares them.
  func expect(log: [String]) async throws {
    _ = await hasChanged.wait(for: Self.patience) { host.log.count >= log.count }
    try equal(host.log, log, "the events of the host")
  }

  /// Waits until a central has received this many values, and compares them.
  func expect(values: [[UInt8]], from characteristic: Int, at number: Int = 0) async throws {
    let values = values
    _ = await hasChanged.wait(for: Self.patience) { taken(characteristic, number).count >= values.count }
    try equal(taken(characteristic, number), values, "the values of characteristic \(characteristic)")
    received[number]?.removeAll { $0.characteristic == characteristic }
  }

  private func taken(_ characteristic: Int, _ number: Int) -> [[UInt8]] {
    received[number, default: []].filter { $0.characteristic == characteristic }.map(\.value)
  }

  func equal<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
    if found != expected {
      throw ConformanceFailure(description: "\(what): \(found), not \(expected)")
    }
  }

  /// Checks that the device refuses a request with an error.
  func expect(_ error: ATTError, _ request: @EventLoop () async throws -> Void) async throws {
    do { try await request() } catch let found as ATTError {
      return try equal(found, error, "the error")
    }
    throw ConformanceFailure(description: "the request was accepted, not refused with \(error)")
  }
}
