import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback
import Testing

@testable import Peripheral

/// A device as the GATT client of a central that the test plays, PDU by PDU.
@Suite struct ClientTests {
  /// A central that answers each request as the test says.
  @EventLoop
  private final class Server: DeviceClientOwner {
    var requests: [AttributePDU] = []
    var events: [Event] = []
    var answers: (AttributePDU) -> AttributePDU?
    var hasFailed = false
    let scheduler = ManualScheduler()
    let client: DeviceClient

    init(_ answers: @escaping (AttributePDU) -> AttributePDU?) {
      self.answers = answers
      let sought = [
        SoughtCharacteristic(id: "time", service: 0x1805, uuid: 0x2A2B),
        SoughtCharacteristic(id: "alert", service: 0x1811, uuid: 0x2A46),
      ]
      client = DeviceClient(DeviceAddress([0, 0, 0, 0, 0, 2])!, sought, scheduler)
      client.owner = self
    }

    func mtu(of central: Central) -> Int { 23 }

    func send(_ pdu: AttributePDU, to central: Central) -> Bool {
      requests.append(pdu)
      if let answer = answers(pdu) { client.receive(answer.encode()) }
      return true
    }

    func clientReceived(_ event: Event) { events.append(event) }
    func clientWrites(_ value: [UInt8], to place: String, message: Int?, at central: Central) {}
    func clientFailed(at central: Central) { hasFailed = true }
  }

  private static let central = DeviceAddress([0, 0, 0, 0, 0, 2])!

  /// The Current Time Service at 0x10: another characteristic at 0x11, the time at 0x13, with a description before its CCCD.
  private static func clock(_ request: AttributePDU) -> AttributePDU? {
    switch request {
    case .findByTypeValueRequest(_, 0x2800, [0x05, 0x18]): .findByTypeValueResponse([HandleRange(0x10, 0x16)])
    case .readByTypeRequest(let range, 0x2803) where range.first <= 0x11:
      .readByTypeResponse([AttributeValue(0x11, [0x02, 0x12, 0x00, 0x0F, 0x2A])])
    case .readByTypeRequest(let range, 0x2803) where range.first <= 0x13:
      .readByTypeResponse([AttributeValue(0x13, [0x12, 0x14, 0x00, 0x2B, 0x2A])])
    case .findInformationRequest(let range) where range.first == 0x15:
      .findInformationResponse([AttributeInformation(0x15, 0x2901)])
    case .findInformationRequest: .findInformationResponse([AttributeInformation(0x16, 0x2902)])
    case .readRequest(0x14): .readResponse(Array(0..<22))
    case .readBlobRequest(0x14, let offset):
      .readBlobResponse(Array(repeating: 1, count: offset < 30 ? 22 : 4))
    case .writeRequest: .writeResponse
    case .prepareWriteRequest(let handle, let offset, let part):
      .prepareWriteResponse(handle, offset: offset, part: part)
    case .executeWriteRequest: .executeWriteResponse
    default: .errorResponse(request: request.opcode, handle: 1, error: .attributeNotFound)
    }
  }

  @Test @EventLoop func `it asks for the services by their UUIDs, and for nothing that it does not seek`() {
    let server = Server(Self.clock)
    server.client.perform(.discover)
    #expect(server.events == [.discovered(Self.central, found: [0])])
    #expect(
      server.requests == [
        .findByTypeValueRequest(.all, type: 0x2800, value: [0x05, 0x18]),
        .readByTypeRequest(HandleRange(0x10, 0x16), type: 0x2803),
        .readByTypeRequest(HandleRange(0x12, 0x16), type: 0x2803),
        .readByTypeRequest(HandleRange(0x14, 0x16), type: 0x2803),
        .findInformationRequest(HandleRange(0x15, 0x16)), .findInformationRequest(HandleRange(0x16, 0x16)),
        .findByTypeValueRequest(.all, type: 0x2800, value: [0x11, 0x18]),
      ])
    server.client.perform(.subscribe(0))
    #expect(server.requests.last == .writeRequest(0x16, [0x01, 0x00]))
  }

  @Test @EventLoop func `a long value is read and written in parts`() {
    let server = Server(Self.clock)
    server.client.perform(.discover)
    server.requests = []
    server.client.perform(.read(0))
    #expect(
      server.events.last
        == .soughtReceived(
          Self.central, sought: 0, Array(0..<22) + Array(repeating: 1, count: 26), isRead: true))
    server.client.perform(.write(0, Array(0..<40), message: nil))
    #expect(
      server.requests.suffix(4) == [
        .prepareWriteRequest(0x14, offset: 0, part: Array(0..<18)),
        .prepareWriteRequest(0x14, offset: 18, part: Array(18..<36)),
        .prepareWriteRequest(0x14, offset: 36, part: Array(36..<40)), .executeWriteRequest(commits: true),
      ])
  }

  @Test @EventLoop func `a part that is refused cancels the others`() {
    let server = Server(Self.clock)
    server.client.perform(.discover)
    server.answers = { request in
      if case .prepareWriteRequest(_, 18, _) = request {
        .errorResponse(request: .prepareWriteRequest, handle: 0x14, error: .prepareQueueFull)
      } else {
        Self.clock(request)
      }
    }
    let request = ClientRequest.write(0, Array(0..<40), message: nil)
    server.client.perform(request)
    #expect(server.requests.last == .executeWriteRequest(commits: false))
    #expect(server.events.last == .soughtRefused(Self.central, sought: 0, .prepareQueueFull, request))
  }

  @Test @EventLoop func `it asks for one thing after the other`() {
    let server = Server(Self.clock)
    server.client.perform(.discover)
    (server.requests, server.events) = ([], [])
    server.answers = { _ in nil }
    server.client.perform(.read(0))
    server.client.perform(.subscribe(0))
    server.client.perform(.read(1))
    #expect(server.requests == [.readRequest(0x14)])
    server.client.receive(AttributePDU.notification(0x14, [9]).encode())
    server.client.receive(AttributePDU.readResponse([7]).encode())
    #expect(server.requests == [.readRequest(0x14), .writeRequest(0x16, [0x01, 0x00])])
    server.client.receive(AttributePDU.writeResponse.encode())
    #expect(
      server.events == [
        .soughtReceived(Self.central, sought: 0, [9]),
        .soughtReceived(Self.central, sought: 0, [7], isRead: true),
        .soughtRefused(Self.central, sought: 1, .attributeNotFound, .read(1)),
      ])
  }

  @Test @EventLoop func `an indication is confirmed, also one that nobody wants`() {
    let server = Server(Self.clock)
    server.client.receive(AttributePDU.indication(0x99, [1]).encode())
    #expect(server.requests == [.confirmation] && server.events == [])
  }

  @Test @EventLoop func `a central that does not answer within 30 s has failed`() {
    let server = Server { _ in nil }
    server.client.perform(.discover)
    server.scheduler.advance(by: .milliseconds(29_999))
    #expect(!server.hasFailed)
    server.scheduler.advance(by: .milliseconds(1))
    #expect(server.hasFailed)
  }

  @Test(arguments: [0x0000, 0x0011, 0x0013, 0x0017, 0xFFFF] as [UInt16])
  @EventLoop func `a value outside of its service is none`(handle: UInt16) {
    let server = Server { request in
      guard case .readByTypeRequest(let range, 0x2803) = request, range.first <= 0x13 else {
        return Self.clock(request)
      }
      let low = UInt8(truncatingIfNeeded: handle)
      return .readByTypeResponse([AttributeValue(0x13, [0x12, low, UInt8(handle >> 8), 0x2B, 0x2A])])
    }
    server.client.perform(.discover)
    #expect(server.events == [.discovered(Self.central, found: [])])
  }

  @Test @EventLoop func `a descriptor that it has not asked for is none`() {
    let server = Server { request in
      guard case .findInformationRequest = request else { return Self.clock(request) }
      return .findInformationResponse([AttributeInformation(0x20, 0x2902)])
    }
    server.client.perform(.discover)
    #expect(server.client.found[0]?.handle == 0x14 && server.client.found[0]?.configuration == nil)
  }

  @Test @EventLoop func `a server that repeats itself does not keep the device busy`() {
    let server = Server { request in
      switch request {
      case .findByTypeValueRequest: .findByTypeValueResponse([HandleRange(1, 0xFFFF)])
      case .readByTypeRequest: .readByTypeResponse([AttributeValue(2, [0x12, 3, 0, 0x2B, 0x2A])])
      case .findInformationRequest: .findInformationResponse([AttributeInformation(4, 0x2901)])
      default: nil
      }
    }
    server.client.perform(.discover)
    #expect(server.events == [.discovered(Self.central, found: [0])])
    #expect(server.requests.count < 20)
  }
}
