import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import TestBeds
import Transcripts

/// A central that finds all attributes and reads every value that can be read, as a phone does when it sees a device for the first
/// time (Core Specification, Vol 3 Part G 4.4 to 4.8).
@EventLoop
struct Discovery {
  private let testBed: any TestBed

  /// Starts a device, discovers it if a central can connect, and stops it.
  static func run(_ device: PeripheralDefinition, on testBed: any TestBed) async throws {
    try await testBed.setUp(
      device, settings: device.settings.map(\.initial), options: EngineOptions(), paces: [])
    do {
      if ConnectionFailure(to: testBed.advertisement) == nil {
        try await testBed.connect(.raw)
        try await Discovery(testBed: testBed).discover()
      }
      try await testBed.wait(
        until: testBed.now.advanced(by: .seconds(1)), past: testBed.inbox.count, includingEnd: true)
    } catch {
      await testBed.tearDown()
      throw error
    }
    await testBed.tearDown()
  }

  /// How long a central waits for a response (Core Specification, Vol 3 Part F 3.3.3).
  private static let limit = Duration.seconds(30)

  /// The response to a request; nil: there is none.
  private func ask(_ pdu: AttributePDU) async throws -> AttributePDU? {
    let end = testBed.now.advanced(by: Self.limit)
    _ = testBed.inbox.takeArrivals()
    try await testBed.send(pdu: pdu.encode())
    while true {
      let count = testBed.inbox.count
      for arrival in testBed.inbox.takeArrivals() {
        if let pdu = try? AttributePDU(arrival.bytes), !pdu.opcode.isUnasked { return pdu }
      }
      guard testBed.now < end else { return nil }
      try await testBed.wait(until: end, past: count, includingEnd: true)
    }
  }

  /// The result of a procedure that a request without a response ends.
  private func perform<Value>(_ procedure: GATTProcedure<Value, Refusal>) async throws -> Value? {
    var procedure = procedure
    while true {
      switch procedure {
      case .ended(let result): return try? result.get()
      case .asking(let pdu, let then):
        procedure = then(try await ask(pdu)?.answer.mapError { _ in Refusal() } ?? .failure(Refusal()))
      }
    }
  }

  private struct Refusal: Error {}

  private func find(
    in handles: HandleRange = .all, _ question: @escaping (HandleRange) -> AttributePDU
  ) async throws -> [DiscoveredAttribute] {
    try await perform(.find(in: handles, question)) ?? []
  }

  private func discover() async throws {
    var services: [HandleRange] = []
    for type: BluetoothUUID in [0x2800, 0x2801] {
      services += try await find { .readByGroupTypeRequest($0, type: type) }.map(\.handles)
    }
    for service in services { try await discover(service) }
  }

  private func discover(_ service: HandleRange) async throws {
    _ = try await find(in: service) { .readByTypeRequest($0, type: 0x2802) }
    let declarations = try await find(in: service) { .readByTypeRequest($0, type: 0x2803) }
    let attributes = try await find(in: service) { .findInformationRequest($0) }
    let readable =
      declarations.compactMap(\.characteristic).filter { $0.properties.contains(.read) }.map(\.valueHandle)
      + attributes.filter { [0x2901, 0x2904, 0x2908].contains($0.type) }.map(\.handle)
    for handle in readable {
      // Core Specification, Vol 3 Part F 3.2.9.
      _ = try await perform(
        .read(handle, upTo: 512, mtu: { AttributePDU.defaultMTU }, endingAt: { _ in true }))
    }
  }
}

extension AttributeOpcode {
  /// Whether a server sends it by itself.
  fileprivate var isUnasked: Bool {
    self == .notification || self == .indication || self == .multipleNotification
  }
}
