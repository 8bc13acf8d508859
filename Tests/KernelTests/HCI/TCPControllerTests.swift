import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Kernel

@Suite(.timeLimit(.minutes(10))) @EventLoop final class TCPControllerTests {
  let listener: FileDescriptor
  let port: UInt16

  init() throws {
    listener = try #require(SocketPlace("127.0.0.1:0")).listen(backlog: 0)
    port = listener.localPort
  }

  /// A connection, its reports, and the controller's end.
  func connect(to host: String = "localhost") async throws -> (ControllerConnection, Reports, FileDescriptor)
  {
    let connection = try await ControllerConnection.connect(host: host, port: port)
    let number = accept(listener.rawValue, nil, nil)
    try #require(number >= 0)
    return (connection, Reports(of: connection), FileDescriptor(owning: number))
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `packets pass both ways`(host: String) async throws {
    let (connection, reports, controller) = try await connect(to: host)
    #expect(connection.place == .tcp(host: host, port: port))
    connection.send("01 03 0C 00 02 40 00 01 00 AA")
    #expect(controller.take(10) == "01 03 0C 00 02 40 00 01 00 AA")
    controller.put("04 0E 04 01 03 0C 00 04 FF")
    #expect(try await reports.packets.wait() == ["04 0E 04 01 03 0C 00"])
    controller.put("01 77")
    #expect(try await reports.packets.wait(for: 2).last == "04 FF 01 77")
    connection.close()
    #expect(!connection.isOpen)
    #expect(controller.take(1) == "")
  }

  @Test func `packets before the end arrive, and its end is told once`() async throws {
    var (_, reports, controller): (ControllerConnection, Reports, FileDescriptor?) = try await connect()
    controller?.put("04 FF 00 04 FF")
    controller = nil
    #expect(try await reports.ends.wait() == [.gone(.tcp(host: "localhost", port: port))])
    #expect(reports.packets.values == ["04 FF 00"])
  }

  @Test func `another server is not a controller`() async throws {
    let (connection, reports, controller) = try await connect()
    controller.put("53 53 48 2D 32 2E 30 0D 0A")  // SSH-2.0
    let place = ControllerPlace.tcp(host: "localhost", port: port)
    #expect(try await reports.ends.wait() == [.notHCI(place, firstWrongByte: 0x53)])
    #expect(!connection.isOpen)
  }

  @Test func `a packet longer than any is not HCI`() async throws {
    let (_, reports, controller) = try await connect()
    controller.put("02 00 20 FF FF")
    let place = ControllerPlace.tcp(host: "localhost", port: port)
    #expect(try await reports.ends.wait() == [.packetTooLong(place, length: 65_540)])
  }

  @Test func `a consumer may close the connection at any packet`() async throws {
    let (connection, reports, controller) = try await connect()
    let first = Arrivals<String>()
    connection.onPacket = { [unowned connection] in
      first.add(hexadecimal($0))
      connection.close()
    }
    controller.put("04 FF 00 04 FE 00")
    #expect(try await first.wait() == ["04 FF 00"])
    #expect(controller.take(1) == "")
    #expect(first.values.count == 1)
    #expect(reports.ends.values == [])
  }

  @Test func `what the controller does not take yet is sent later`() async throws {
    let (connection, reports, controller) = try await connect()
    let packet = [0x02, 0x40, 0x00, 0xFF, 0x0F] + (0..<0x0FFF).map { UInt8($0 % 251) }
    for _ in 0..<2000 { connection.send(packet.span) }  // 8 MB, more than the kernel's buffers
    let received = Task.detached {
      (0..<2000).allSatisfy { _ in controller.take(packet.count) == hexadecimal(packet) }
    }
    #expect(await received.value)
    controller.put("04 FF 00")
    #expect(try await reports.packets.wait() == ["04 FF 00"])
    connection.close()
  }
}

// MARK: Connecting

extension TCPControllerTests {
  func finding(host: String, port: UInt16, timeLimit: Duration = .seconds(5)) async -> ControllerFinding? {
    await error { () async throws(ControllerFinding) in
      _ = try await ControllerConnection.connect(host: host, port: port, timeLimit: timeLimit)
    }
  }

  @Test func `a port where nothing listens is a finding`() async throws {
    let unused = try #require(SocketPlace("127.0.0.1:0")).listen(backlog: 0).localPort
    #expect(
      await finding(host: "localhost", port: unused) == .nothingListens(.tcp(host: "localhost", port: unused))
    )
  }

  @Test func `a host that does not exist is a finding`() async throws {
    guard case .unknownHost("no such host", _) = await finding(host: "no such host", port: 1) else {
      Issue.record("it should not exist")
      return
    }
  }

  @Test func `a host that does not accept the connection is a finding`() async throws {
    // The kernel lets one connection wait, and drops the requests for others.
    let waiting = try await ControllerConnection.connect(host: "127.0.0.1", port: port)
    #expect(
      await finding(host: "127.0.0.1", port: port, timeLimit: .zero)
        == .doesNotAnswer(.tcp(host: "127.0.0.1", port: port), seconds: 0))
    withExtendedLifetime(waiting) {}
  }
}

extension FileDescriptor {
  fileprivate var localPort: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(rawValue, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
