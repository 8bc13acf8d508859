import EventLoop
import Glibc
import Peripheral
import TestSupport
import Testing

@testable import Wire

/// Serial ports whose other end is a test: pseudo-terminals.
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

  /// Plugs a port in: what is at the other end of its cable.
  @EventLoop func plugIn() -> TestDescriptor {
    let (controller, _, device) = try! PseudoTerminal.open()
    unlink(path)
    symlink(device, path)
    return TestDescriptor(dup(controller.rawValue))
  }

  @EventLoop @Test func `all 256 values pass both ways as they are`() async throws {
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
  func `it has the speed that was asked for`(baud: Int) throws {
    let cable = plugIn()
    let device = try device(baud: baud)
    #expect(TerminalSettings(of: cable.descriptor.rawValue)?.baudRate == baud)
    #expect(device.label == "\(path), \(baud) baud")
    device.close()
    cable.close()
  }

  @EventLoop @Test(arguments: [true, false])
  func `its speed changes with the device's, unless it has one of its own`(keepsSpeed: Bool) async throws {
    let cable = plugIn()
    let device = try device(keepsSpeed: keepsSpeed)
    device.changeSpeed(to: 57_600)
    let speed = keepsSpeed ? 9600 : 57_600
    #expect(TerminalSettings(of: cable.descriptor.rawValue)?.baudRate == speed)
    #expect(device.label == "\(path), \(speed) baud")
    device.close()
    cable.close()
  }

  @EventLoop @Test func `one that is unplugged has the new speed when it is back`() async throws {
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
  func `one that is unplugged is opened again when it is back`(isReading: Bool) async throws {
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

  @EventLoop @Test func `what is no serial port, or not there, says so`() {
    let error = #expect(throws: WireError.self) { try device() }
    #expect(error?.message == "cannot open '\(path)': No such file or directory")
    symlink("/dev/null", path)
    let other = #expect(throws: WireError.self) { try device() }
    #expect(other?.message == "'\(path)' is no serial port")
  }
}
