import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import Management

@Suite(.timeLimit(.minutes(10))) struct ManagementEventTests {
  static let address = DeviceAddress("C1:02:03:04:05:06")!
  static let random = LinkAddress(address, .random)
  static let `public` = LinkAddress(address, .public)
  /// 29 bytes: type, central, size, diversifier, random number, value.
  static let key = "02 01 10 34 12 \(eight) \(eight)\(eight)"
  static let eight = String(repeating: "11 ", count: 8)
  static let longTermKey = LongTermKey(
    kind: 2, isOfCentral: true, size: 16, ediv: 0x1234, rand: Array(repeating: 0x11, count: 8),
    value: Array(repeating: 0x11, count: 16))
  static let identity = Array(repeating: UInt8(0x11), count: 16)

  static let documented: [(code: UInt16, parameters: String, kind: ManagementEvent.Kind)] = [
    (0x04, "", .controllerAdded),
    (0x05, "", .controllerRemoved),
    (0x06, "01 02 00 00", .newSettings([.powered, .lowEnergy])),
    // the address, its kind, flags, the length of the advertising data, the data
    (0x0B, "06 05 04 03 02 C1 02  00 00 00 00  00 00", .deviceConnected(random)),
    (0x0B, "06 05 04 03 02 C1 01  08 00 00 00  03 00  02 01 06", .deviceConnected(`public`)),
    (0x0C, "06 05 04 03 02 C1 02  00", .deviceDisconnected(random, .unspecified)),
    (0x0C, "06 05 04 03 02 C1 02  01", .deviceDisconnected(random, .timeout)),
    (0x0C, "06 05 04 03 02 C1 02  02", .deviceDisconnected(random, .localHost)),
    (0x0C, "06 05 04 03 02 C1 02  03", .deviceDisconnected(random, .remote)),
    (0x0C, "06 05 04 03 02 C1 02  04", .deviceDisconnected(random, .authenticationFailure)),
    (0x0C, "06 05 04 03 02 C1 02  05", .deviceDisconnected(random, .suspended)),
    (0x0C, "06 05 04 03 02 C1 02  77", .deviceDisconnected(random, .unspecified)),
    (0x23, "03", .advertisingAdded(3)),
    (0x24, "03", .advertisingRemoved(3)),
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
    (0x11, "06 05 04 03 02 C1 02  05", .authenticationFailed(random, .authenticationFailed)),
    (
      0x0A, "01  06 05 04 03 02 C1 02  \(key)",
      .newLongTermKey(PairingKey(of: random, longTermKey, isKept: true))
    ),
    // a hint, the address of the link, the identity, the key
    (
      0x18, "00  01 00 00 00 00 40  06 05 04 03 02 C1 02  \(eight)\(eight)",
      .newIdentityResolvingKey(
        PairingKey(of: random, identity, isKept: false),
        resolved: LinkAddress(DeviceAddress("40:00:00:00:00:01")!, .random))
    ),
    (
      0x18, "01  00 00 00 00 00 00  06 05 04 03 02 C1 01  \(eight)\(eight)",
      .newIdentityResolvingKey(PairingKey(of: `public`, identity, isKept: true), resolved: nil)
    ),
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
      guard code > 0x05 else { continue }
      let message = ManagementMessage(code: code, controller: 0, parameters: parameters)
      #expect(ManagementEvent(message).kind == .other(code: code, parameters))
    }
  }

  static let undocumented: [(code: UInt16, parameters: String)] = [
    (0x0C, "06 05 04 03 02 C1 00  03"),  // BR/EDR
    (0x10, "06 05 04 03 02 C1 03"),  // no such kind of address
    (0x0A, "01  06 05 04 03 02 C1 00  \(key)"),
    (0x13, "06 01"),  // Discovering
    (0xFFFF, ""),
  ]

  @Test(arguments: undocumented)
  func `an event without a case is another event`(code: UInt16, parameters: String) {
    let message = ManagementMessage(code: code, controller: 0, parameters: bytes(parameters))
    #expect(ManagementEvent(message).kind == .other(code: code, bytes(parameters)))
  }
}
