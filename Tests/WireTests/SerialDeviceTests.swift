import EventLoop
import Glibc
import Peripheral
import TestSupport
import Testing

@testable import Wire

/// Serial ports, imitated by pseudo-terminals.
@Suite(.timeLimit(.minutes(10))) struct SerialDeviceTests {
  let host: RecordingHost
  let folder = TemporaryFolder()

  @EventLoop init() { host = RecordingHost() }

  var path: String { folder.path + "ttyUSB0" }

  @EventLoop func device(baud: Int = 9600, keepsSpeed: Bool = false) throws -> SerialDevice {
    let device = try SerialDevice(path, baud: baud, keepsSpeed: keepsSpeed)
    device.host = host
    device.isReading = true
    return device
  }

  /// Plugs a port in, and returns the other end of its cable.
  @EventLoop func plugIn() -> TestDescriptor {
    let (controller, _, device) = try! PseudoTerminal.open()
    unlink(path)
    symlink(device, path)
    return TestDescriptor(dup(controller.rawValue))
  }

  @EventLoop @Test func `all 256 byte values pass unchanged in both directions`() async throws {
    let cable = plugIn()
    let device = try device()
    let values = (0...255).map { UInt8($0) }
    cable.startReading()
    cable.write(values)
    #expect(await host.bytes(256) == values)
    device.write(values)
    #expect(await cable.received.bytes(256) == values)
    #expect(host.bytes.count == 256)
    device.close()
    cable.close()
  }

  @EventLoop @Test(arguments: [1200, 9600, 115_200, 250_000, 1_000_000])
  func `the port has the requested speed`(baud: Int) throws {
    let cable = plugIn()
    let device = try device(baud: baud)
    #expect(TerminalSettings(of: cable.descriptor.rawValue)?.baudRate == baud)
    #expect(device.label == "\(path), \(baud) baud")
    device.close()
    cable.close()
  }

  @EventLoop @Test(arguments: [true, false])
  func `the speed follows the device's, unless it is fixed`(keepsSpeed: Bool) async throws {
    let cable = plugIn()
    let device = try device(keepsSpeed: keepsSpeed)
    device.changeSpeed(to: 57_600)
    let speed = keepsSpeed ? 9600 : 57_600
    #expect(TerminalSettings(of: cable.descriptor.rawValue)?.baudRate == speed)
    #expect(device.label == "\(path), \(speed) baud")
    device.close()
    cable.close()
  }

  @EventLoop @Test func `a port that returns has the new speed`() async throws {
    var cable: TestDescriptor? = plugIn()
    let device = try device()
    cable?.close()
    cable = nil
    unlink(path)
    #expect(await host.events(1) == [.closed(by: path)])
    device.changeSpeed(to: 57_600)
    let other = plugIn()
    #expect(await host.events(2) == [.closed(by: path), .opened(by: path)])
    #expect(TerminalSettings(of: other.descriptor.rawValue)?.baudRate == 57_600)
    device.close()
    other.close()
  }

  @EventLoop @Test(arguments: [true, false])
  func `a port that returns is opened again`(isReading: Bool) async throws {
    var cable: TestDescriptor? = plugIn()
    let device = try device()
    cable?.write([1])
    #expect(await host.bytes(1) == [1])
    device.isReading = isReading
    cable?.close()
    cable = nil
    unlink(path)
    #expect(await host.events(1) == [.closed(by: path)])
    device.write([7, 8])
    let other = plugIn()
    #expect(await host.events(2) == [.closed(by: path), .opened(by: path)])
    other.startReading()
    device.isReading = true
    #expect(await other.received.bytes(2) == [7, 8])
    other.write([2])
    #expect(await host.bytes(2) == [1, 2])
    #expect(TerminalSettings(of: other.descriptor.rawValue)?.baudRate == 9600)
    device.close()
    other.close()
  }

  @EventLoop @Test func `a path that is not a serial port is an error`() {
    let error = #expect(throws: WireError.self) { try device() }
    #expect(error?.message == "cannot open '\(path)': No such file or directory")
    symlink("/dev/null", path)
    let other = #expect(throws: WireError.self) { try device() }
    #expect(other?.message == "'\(path)' is not a serial port")
  }
}
