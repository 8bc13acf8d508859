import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Kernel

/// Sockets that keep the borders of packets, as those of the kernel do.
@Suite(.timeLimit(.minutes(10))) @EventLoop struct ControllerConnectionTests {
  let connection: ControllerConnection
  let reports: Reports
  let kernel: FileDescriptor

  init() {
    let (ours, kernel) = pairOfSockets()
    connection = ControllerConnection(adopting: ours, of: .adapter(3), .ofKernel)
    (reports, self.kernel) = (Reports(of: connection), kernel)
  }

  @Test func `each packet is one write`() {
    connection.send("01 03 0C 00 02 40 00 01 00 AA 01 05 10 00")
    #expect(kernel.take(4) == "01 03 0C 00")
    #expect(kernel.take(6) == "02 40 00 01 00 AA")
    #expect(kernel.take(4) == "01 05 10 00")
  }

  @Test func `each read is one packet`() async throws {
    kernel.put("04 0E 04 01 03 0C 00")
    kernel.put("02 40 20 01 00 AA")
    let expected = ["04 0E 04 01 03 0C 00", "02 40 20 01 00 AA"]
    #expect(try await reports.packets.wait(for: 2) == expected)
    #expect(reports.ends.values == [])
  }

  @Test func `packets that the kernel does not take yet keep their borders`() async {
    let packet = [0x02, 0x40, 0x00, 0xFB, 0x00] + [UInt8](repeating: 7, count: 251)
    for _ in 0..<5000 { connection.send(packet.span) }
    let received = Task.detached { [kernel] in
      (0..<5000).allSatisfy { _ in kernel.take(packet.count) == hexadecimal(packet) }
    }
    #expect(await received.value)
  }

  @Test func `an adapter that is removed is gone`() async throws {
    shutdown(kernel.rawValue, Int32(SHUT_RDWR))
    #expect(try await reports.ends.wait() == [.gone(.adapter(3))])
    connection.send("01 03 0C 00")
  }
}
