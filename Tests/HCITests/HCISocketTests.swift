import Bluetooth
import EventLoop
import Glibc
import HCIPackets
import TestSupport
import Testing

@testable import HCI

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
    #expect(socket.send(.readPHY(0x40)))
    #expect(hexadecimal(kernel.receivePacket()) == "01 30 20 02 40 00")
  }

  @EventLoop @Test func `it ends with its controller`() async {
    let (ours, kernel) = pairOfSockets()
    let socket = HCISocket(adopting: ours)
    shutdown(kernel.rawValue, Int32(SHUT_RDWR))
    socket.catchUp()
    #expect(!socket.isOpen)
    #expect(!socket.send(.readPHY(0x40)))
  }

  @EventLoop @Test func `the kernel passes only the wanted events of LE Meta, and Pairing Requests`() throws {
    let (ours, kernel) = pairOfSockets()
    #expect(HCISocket.attachFilter(to: ours))
    let wanted = [
      "04 05 04 00 40 00 13", "04 3E 01 01", "04 3E 01 0A", "04 3E 01 29", "04 3E 01 03", "04 3E 01 07",
      "04 3E 01 0C", "04 3E 01 12", "01 3E 20 00", "02 40 20 0B 00 07 00 06 00 01 04 00 2D 10 07 07",
    ]
    let unwanted = [
      "04 3E 01 02", "04 3E 01 0D", "04 3E 01 FF", "02 40 20 0B 00 07 00 06 00 02 04 00 2D 10 07 07",
      "02 40 20 0B 00 07 00 04 00 01 04 00 2D 10 07 07", "02 40 20 01 00 01 00 06 00", "02",
    ]
    for packet in wanted + unwanted {
      kernel.sendPacket(packet)
    }
    kernel.sendPacket("04 0F 04 00 01 13 20")
    var arrived: [String] = []
    while case let packet = ours.receivePacket(), !packet.isEmpty { arrived.append(hexadecimal(packet)) }
    #expect(arrived == wanted + ["04 0F 04 00 01 13 20"])
  }
}

extension FileDescriptor {
  fileprivate func sendPacket(_ text: String) {
    let packet = bytes(text)
    #expect(send(rawValue, packet, packet.count, 0) == packet.count || errno == EPERM)
  }

  /// Empty: there is none.
  fileprivate func receivePacket() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 300)
    let count = recv(rawValue, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }
}
