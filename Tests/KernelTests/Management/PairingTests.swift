import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) struct PairingTests {
  private static let peer = LinkAddress(DeviceAddress("C1:02:03:04:05:06")!, .random)

  @EventLoop @Test func `whether a controller has Secure Connections is a byte`() async throws {
    let (socket, kernel) = socket(
      """
      > 2D 00 00 00 01 00 01
      < 01 00 00 00 07 00  2D 00 00  00 0A 00 00
      """)
    #expect(try await socket.setSecureConnections(true, on: 0) == [.lowEnergy, .secureConnections])
    #expect(await kernel.outcome() == nil)
  }

  @EventLoop @Test func `keys are those of a peer`() async throws {
    let (socket, kernel) = socket(
      """
      > 1B 00 00 00 08 00  06 05 04 03 02 C1 02  01             # and disconnect
      < 01 00 00 00 0A 00  1B 00 00  06 05 04 03 02 C1 02
      """)
    try await socket.unpair(Self.peer, disconnecting: true, on: 0)
    #expect(await kernel.outcome() == nil)
  }
}
