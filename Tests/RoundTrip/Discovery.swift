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
    try await testBed.setUp(device, settings: device.settings.map(\.initial), seed: 0, isPaced: false)
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

  private func discover() async throws {
    var services: [AttributeGroup] = []
    for type: BluetoothUUID in [0x2800, 0x2801] {
      try await walk(.all) { range in
        guard
          case .readByGroupTypeResponse(let groups) = try await ask(
            .readByGroupTypeRequest(range, type: type))
        else { return nil }
        services += groups
        return groups.last?.handles.last
      }
    }
    for service in services { try await discover(service.handles) }
  }

  private func discover(_ service: HandleRange) async throws {
    var readable: [AttributeHandle] = []
    for type: BluetoothUUID in [0x2802, 0x2803] {
      try await walk(service) { range in
        guard case .readByTypeResponse(let rows) = try await ask(.readByTypeRequest(range, type: type)) else {
          return nil
        }
        if type == 0x2803 { readable += rows.compactMap(\.readableValue) }
        return rows.last?.handle
      }
    }
    try await walk(service) { range in
      guard case .findInformationResponse(let rows) = try await ask(.findInformationRequest(range)) else {
        return nil
      }
      readable += rows.filter { $0.type == 0x2901 || $0.type == 0x2904 || $0.type == 0x2908 }.map(\.handle)
      return rows.last?.handle
    }
    for handle in readable { try await read(handle) }
  }

  /// Asks for a range again and again, from after the last handle found.
  private func walk(
    _ range: HandleRange, _ ask: (HandleRange) async throws -> AttributeHandle?
  ) async throws {
    var first = range.first
    while let found = try await ask(HandleRange(first, range.last)), found < range.last, found >= first {
      first = found + 1
    }
  }

  /// Reads a value, a long one in parts, of at most 512 bytes (Core Specification, Vol 3 Part F 3.2.9).
  private func read(_ handle: AttributeHandle) async throws {
    let part = AttributePDU.defaultMTU - 1
    guard case .readResponse(let value) = try await ask(.readRequest(handle)), value.count == part else {
      return
    }
    var length = part
    while length <= 512,
      case .readBlobResponse(let rest) = try await ask(.readBlobRequest(handle, offset: UInt16(length)))
    {
      length += rest.count
      if rest.count < part { return }
    }
  }
}

extension AttributeValue {
  /// Of a characteristic's declaration: the handle of its value if it can be read.
  fileprivate var readableValue: AttributeHandle? {
    guard value.count >= 3, value[0] & 0x02 != 0 else { return nil }
    return AttributeHandle(value[1], value[2])
  }
}

extension AttributeOpcode {
  /// Whether a server sends it by itself.
  fileprivate var isUnasked: Bool {
    self == .notification || self == .indication || self == .multipleNotification
  }
}
