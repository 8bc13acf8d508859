import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Wire

@Suite(.timeLimit(.minutes(10))) struct PseudoTerminalTests {
  let folder = TemporaryFolder()
  let host: RecordingHost

  @EventLoop init() { host = RecordingHost() }

  var path: String { folder.path + "tty" }

  @EventLoop func makeTerminal() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(linkedAt: path)
    terminal.host = host
    return terminal
  }

  func linkTarget() -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  static let allValues = (0...255).map { UInt8($0) }

  @EventLoop @Test func `all 256 byte values pass unchanged in both directions`() async throws {
    let terminal = try makeTerminal()
    let user = TestDescriptor(terminal: path)
    terminal.isReading = true
    user.startReading()
    user.write(Self.allValues)
    #expect(await host.bytes(256) == Self.allValues)
    terminal.write(Self.allValues)
    #expect(await user.received.bytes(256) == Self.allValues)
    #expect(host.bytes.count == 256)  // no echo
    user.close()
    terminal.close()
  }

  @EventLoop @Test func `a program may close the terminal and open it again`() async throws {
    let terminal = try makeTerminal()
    terminal.isReading = true
    for round in 1...3 {
      let user = TestDescriptor(terminal: path)
      user.startReading()
      user.write([0x0D, UInt8(round)])
      #expect(await host.bytes(2 * round).suffix(2) == [0x0D, UInt8(round)])
      terminal.write([0x0A, UInt8(round)])
      #expect(await user.received.bytes(2) == [0x0A, UInt8(round)])
      user.close()
    }
    #expect(host.warnings == [])
    terminal.close()
  }

  @EventLoop @Test func `output waits while no program has the terminal open`() async throws {
    let terminal = try makeTerminal()
    terminal.write([1, 2, 3])
    let user = TestDescriptor(terminal: path)
    user.startReading()
    #expect(await user.received.bytes(3) == [1, 2, 3])
    user.close()
    terminal.close()
  }

  @EventLoop @Test func `a burst larger than the terminal's buffer stays complete and in order`() async throws
  {
    let terminal = try makeTerminal()
    let burst = numberedBytes(300_000)
    for start in stride(from: 0, to: burst.count, by: 7) {
      terminal.write(Array(burst[start..<min(start + 7, burst.count)]))
    }
    let user = TestDescriptor(terminal: path)
    user.startReading()
    #expect(await user.received.bytes(burst.count) == burst)
    #expect(host.warnings == [])
    user.close()
    terminal.close()
  }

  @EventLoop @Test func `bytes wait in the program while the device does not read`()
    async throws
  {
    let terminal = try makeTerminal()
    let user = TestDescriptor(terminal: path)
    let burst = numberedBytes(100_000)
    user.write(burst)
    terminal.isReading = true
    _ = await host.bytes(1000)
    terminal.isReading = false
    let paused = host.bytes.count
    await oneTurn()
    #expect(host.bytes.count == paused)
    terminal.isReading = true
    #expect(await host.bytes(burst.count) == burst)
    user.close()
    terminal.close()
  }

  @EventLoop @Test func `an opening, the speed and the closing are reported`() async throws {
    let terminal = try makeTerminal()
    terminal.start()
    for rate in [1200, 9600, 115_200, 250_000] {
      let count = host.events.count
      var user: TestDescriptor? = TestDescriptor(terminal: path)
      var settings = try #require(TerminalSettings(of: user!.descriptor.rawValue))
      settings.baudRate = rate
      #expect(settings.apply(to: user!.descriptor.rawValue))
      #expect(await host.events(count + 2).suffix(2) == [.opened(by: nil), .baudRate(rate)])
      user = nil
      #expect(await host.events(count + 3).last == .closed(by: nil))
    }
    terminal.close()
  }

  @EventLoop @Test func `a later change of the speed is reported`() async throws {
    let terminal = try makeTerminal()
    terminal.start()
    let user = TestDescriptor(terminal: path)
    let first = await host.events(2)[1]
    var settings = try #require(TerminalSettings(of: user.descriptor.rawValue))
    #expect(first == .baudRate(settings.baudRate))
    settings.baudRate = 19_200
    #expect(settings.apply(to: user.descriptor.rawValue))
    #expect(await host.events(3).last == .baudRate(19_200))
    user.close()
    terminal.close()
  }

  @EventLoop @Test func `the link exists as long as the terminal`() throws {
    let terminal = try makeTerminal()
    #expect(linkTarget() == terminal.device)
    #expect(terminal.device.hasPrefix("/dev/pts/"))
    #expect(terminal.label == "\(path) -> \(terminal.device)")
    terminal.close()
    #expect(linkTarget() == nil)
    terminal.close()
  }

  @EventLoop @Test func `a link of an earlier run is replaced`() throws {
    symlink("/dev/pts/4711", path)
    let terminal = try makeTerminal()
    #expect(linkTarget() == terminal.device)
    terminal.close()
  }

  @EventLoop @Test func `a link that another run has replaced is kept`() throws {
    let terminal = try makeTerminal()
    unlink(path)
    symlink("/dev/pts/4711", path)
    terminal.close()
    #expect(linkTarget() == "/dev/pts/4711")
    terminal.close()
  }

  @EventLoop @Test func `a file and a link to another target are not replaced`() throws {
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    let error = #expect(throws: WireError.self) { try makeTerminal() }
    #expect(error?.message == "cannot create the link '\(path)': File exists")
    #expect(access(path, F_OK) == 0)
    unlink(path)
    symlink("/dev/null", path)
    #expect(throws: WireError.self) { try makeTerminal() }
    #expect(linkTarget() == "/dev/null")
  }

  @EventLoop @Test func `a link in a missing folder is an error`() {
    rmdir(folder.path)
    let error = #expect(throws: WireError.self) { try makeTerminal() }
    #expect(error?.message == "cannot create the link '\(path)': No such file or directory")
    #expect(error?.hint == "choose an unused path in a folder that you can write to")
  }
}
