import Bluetooth
import EventLoop
import Glibc
import HCIPackets
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) struct HCISocketTests {
  @EventLoop @Test func `events are read as they come, or at once`() async throws {
    let (ours, kernel) = pairOfSockets()
    let socket = HCISocket(adopting: ours)
    let events = Arrivals<HCIEvent>()
    socket.onEvent = { events.add($0) }
    kernel.sendPacket("04 05 04 00 40 00 13")
    kernel.sendPacket("02 40 00 00 00")  // no event
    kernel.sendPacket("04 05 04 00 41 00 08")
    socket.catchUp()
    let expected: [HCIEvent] = [
      .disconnected(0x40, .remoteUserTerminated), .disconnected(0x41, .supervisionTimeout),
    ]
    #expect(events.values == expected)
    kernel.sendPacket("04 05 04 00 42 00 13")
    #expect(try await events.wait(for: 3).last == .disconnected(0x42, .remoteUserTerminated))
  }

  @EventLoop @Test func `it ends with its controller`() async {
    let (ours, kernel) = pairOfSockets()
    let socket = HCISocket(adopting: ours)
    shutdown(kernel.rawValue, Int32(SHUT_RDWR))
    socket.catchUp()
    #expect(!socket.isOpen)
  }
}

extension FileDescriptor {
  fileprivate func sendPacket(_ text: String) {
    let packet = bytes(text)
    #expect(send(rawValue, packet, packet.count, 0) == packet.count || errno == EPERM)
  }
}
