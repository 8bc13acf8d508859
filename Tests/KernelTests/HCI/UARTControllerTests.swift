import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Kernel

/// Serial ports, imitated by pseudo-terminals.
@Suite(.timeLimit(.minutes(10))) @EventLoop final class UARTControllerTests {
  /// The board's end; nil: it is unplugged.
  var board: FileDescriptor?
  let path: String
  let folder = TemporaryFolder()

  init() throws {
    let board = FileDescriptor(owning: Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
    // pty(7): TIOCSPTLCK and TIOCGPTN
    var (unlocked, number): (Int32, Int32) = (0, -1)
    let isMade =
      ioctl(board.rawValue, 0x4004_5431, &unlocked) == 0
      && ioctl(board.rawValue, 0x8004_5430, &number) == 0
    try #require(isMade)
    path = "/dev/pts/\(number)"
    self.board = board
  }

  func open(speed: Int = 1_000_000) throws -> (ControllerConnection, Reports) {
    let connection = try ControllerConnection.open(uart: path, speed: speed)
    return (connection, Reports(of: connection))
  }

  func finding(_ path: String) -> ControllerFinding? {
    #expect(throws: ControllerFinding.self) { try ControllerConnection.open(uart: path, speed: 9600) }
  }

  @Test func `packets pass unchanged both ways`() async throws {
    let (connection, reports) = try open()
    connection.send("01 03 0C 00")
    #expect(board?.take(4) == "01 03 0C 00")
    board?.put("04 0E 04 01 03 0C 00")
    let all = "04 FF FF " + hexadecimal((0..<255).map { UInt8($0) })
    board?.put(all)
    #expect(try await reports.packets.wait(for: 2) == ["04 0E 04 01 03 0C 00", all])
    #expect(connection.firstWrongByte == nil)
    connection.close()
  }

  @Test(arguments: [115_200, 921_600, 1_000_000, 3_000_000])
  func `the port has the speed and hardware flow control`(speed: Int) throws {
    let (connection, _) = try open(speed: speed)
    let settings = try #require(board.flatMap { TerminalSettings(of: $0.rawValue) })
    #expect(settings.baudRate == speed)
    #expect(settings.hasHardwareFlowControl)
    #expect(connection.place == .uart(path: path, speed: speed))
    connection.close()
  }

  @Test func `the end of what an earlier program has left is skipped`() async throws {
    let (connection, reports) = try open()
    board?.put("AA 55 04 FF 00 04 0E 04 01 03 0C 00")
    #expect(try await reports.packets.wait() == ["04 0E 04 01 03 0C 00"])
    #expect(connection.firstWrongByte == 0xAA)
    board?.put("99")
    #expect(try await reports.ends.wait() == [.notHCI(connection.place, firstWrongByte: 0x99)])
  }

  @Test func `after wrong bytes, the answer to another Reset is the next packet`() async throws {
    let (connection, reports) = try open()
    let findings = Arrivals<ControllerFinding>()
    connection.onDisorder = {
      findings.add($0)
      return true
    }
    board?.put("04 0E 04 01 03 0C 00 04 FF 00 99 04 FF 00")
    #expect(try await findings.wait() == [.notHCI(connection.place, firstWrongByte: 0x99)])
    board?.put("77 04 FF 00 04 0E 04 01 03 0C 00 04 FF 01 55")
    #expect(
      try await reports.packets.wait(for: 4)
        == ["04 0E 04 01 03 0C 00", "04 FF 00", "04 0E 04 01 03 0C 00", "04 FF 01 55"])
    #expect(reports.ends.values == [] && connection.isOpen)
    connection.close()
  }

  @Test func `an unplugged board is gone`() async throws {
    let (connection, reports) = try open()
    board = nil
    #expect(try await reports.ends.wait() == [.gone(connection.place)])
    #expect(!connection.isOpen)
  }

  @Test func `one program at a time has the port`() throws {
    let (connection, _) = try open()
    #expect(finding(path) == .portInUse(path: path))
    connection.close()
    #expect(throws: Never.self) { try open().0.close() }
  }

  @Test func `a path that is not a serial port is a finding`() throws {
    #expect(finding(folder.path + "tty") == .noSerialPort(path: folder.path + "tty"))
    #expect(finding("/dev/null") == .notASerialPort(path: "/dev/null"))
    #expect(finding(folder.path) == .notASerialPort(path: folder.path))
  }
}
