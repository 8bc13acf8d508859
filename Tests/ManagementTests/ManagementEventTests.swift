import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import Management

@Suite(.timeLimit(.minutes(10))) struct ManagementEventTests {
  static let address = DeviceAddress("C1:02:03:04:05:06")!
  static let random = LinkAddress(address, .random)
  static let `public` = LinkAddress(address, .public)

  static let documented: [(code: UInt16, parameters: String, kind: ManagementEvent.Kind)] = [
    // 123456 is 0x1E240
    (
      0x0F, "06 05 04 03 02 C1 01  00  40 E2 01 00",
      .userConfirmationRequest(`public`, isHint: false, value: 123_456)
    ),
    (
      0x0F, "06 05 04 03 02 C1 01  01  00 00 00 00",
      .userConfirmationRequest(`public`, isHint: true, value: 0)
    ),
    (0x10, "06 05 04 03 02 C1 02", .userPasskeyRequest(random)),
    (0x17, "06 05 04 03 02 C1 02  40 E2 01 00  05", .passkeyNotify(random, passkey: 123_456, entered: 5)),
  ]

  @EventLoop @Test func `every documented event is read from the socket`() async throws {
    let script = Self.documented.map { code, parameters, _ in
      let count = UInt16(bytes(parameters).count)
      return
        "< \(hexadecimal(code.littleEndianBytes)) 07 00 \(hexadecimal(count.littleEndianBytes)) \(parameters)"
    }
    let (socket, kernel) = socket(script.joined(separator: "\n"))
    let events = Arrivals<ManagementEvent>()
    socket.onEvent = { events.add($0) }
    let expected = Self.documented.map { ManagementEvent(controller: 7, kind: $0.kind) }
    #expect(try await events.wait(for: expected.count) == expected)
    #expect(await kernel.outcome() == nil)
  }

  @Test func `a known event that is cut short is another event`() {
    for (code, parameters, _) in Self.documented {
      let parameters = Array(bytes(parameters).dropLast())
      let message = ManagementMessage(code: code, controller: 0, parameters: parameters)
      #expect(ManagementEvent(message).kind == .other(code: code, parameters))
    }
  }

  static let undocumented: [(code: UInt16, parameters: String)] = [
    (0x10, "06 05 04 03 02 C1 00"),  // BR/EDR
    (0x10, "06 05 04 03 02 C1 03"),  // no such kind of address
    (0x04, ""),  // Index Added
    (0x13, "06 01"),  // Discovering
    (0xFFFF, ""),
  ]

  @Test(arguments: undocumented)
  func `an event without a case is another event`(code: UInt16, parameters: String) {
    let message = ManagementMessage(code: code, controller: 0, parameters: bytes(parameters))
    #expect(ManagementEvent(message).kind == .other(code: code, bytes(parameters)))
  }
}
