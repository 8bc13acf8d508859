import EventLoop
import Glibc
import Peripheral

/// Connects the wire side to a serial port of this machine. Opens the port again if it is unplugged and returns.
@EventLoop
package final class SerialDevice: DescriptorAttachment {
  private static let retryInterval = Duration.milliseconds(500)

  let port: DescriptorStream
  private let path: String
  private var baud: Int
  /// Whether the port ignores changes of the device's speed.
  private let keepsSpeed: Bool
  private var retry: EventLoop.Timer?

  /// Opens the port in raw mode, with 8 data bits, no parity and one stop bit.
  ///
  /// - Parameter keepsSpeed: whether the port ignores changes of the device's speed.
  package init(_ path: String, baud: Int, keepsSpeed: Bool = false) throws(WireError) {
    self.path = path
    self.baud = baud
    self.keepsSpeed = keepsSpeed
    port = DescriptorStream(name: path)
    port.onEnd = { [weak self] in self?.lost() }
    port.onFailure = { [weak self] _ in self?.lost() }
    connect(try Self.open(path, baud))
  }

  package var label: String { "\(path), \(baud) baud" }

  package func close() {
    retry = nil
    port.close()
  }

  package func changeSpeed(to baud: Int) {
    guard !keepsSpeed, baud != self.baud else { return }
    guard port.withInput({ Self.set(baud, of: $0) }) ?? true else {
      host?.warn("wire side: '\(path)' does not support \(baud) baud and stays at \(self.baud)")
      return
    }
    self.baud = baud
  }
}

// MARK: Unplugging

extension SerialDevice {
  private func connect(_ descriptor: FileDescriptor) {
    port.connect(input: descriptor, output: descriptor, watchesHangUp: true)
  }

  private func lost() {
    port.disconnect()
    host?.report(.closed(by: path))
    retry = EventLoop.Timer { [weak self] in self?.openAgain() }
    retry?.fire(after: Self.retryInterval)
  }

  private func openAgain() {
    guard let descriptor = try? Self.open(path, baud) else {
      retry?.fire(after: Self.retryInterval)
      return
    }
    retry = nil
    host?.report(.opened(by: path))
    connect(descriptor)
  }
}

// MARK: Opening

extension SerialDevice {
  private static func open(_ path: String, _ baud: Int) throws(WireError) -> FileDescriptor {
    let number = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw failure("cannot open '\(path)': \(String(cString: strerror(errno)))") }
    let descriptor = FileDescriptor(owning: number)
    guard TerminalSettings.makeRaw(number) else { throw failure("'\(path)' is not a serial port") }
    guard set(baud, of: number) else { throw failure("'\(path)' does not support \(baud) baud") }
    // Drops bytes that arrived before, at another speed.
    tcflush(number, TCIFLUSH)
    return descriptor
  }

  /// Sets the speed; false if the port does not support it.
  private static func set(_ baud: Int, of number: Int32) -> Bool {
    guard var settings = TerminalSettings(of: number) else { return false }
    settings.baudRate = baud
    settings.ignoreModemLines()
    return settings.apply(to: number)
  }

  private static func failure(_ message: String) -> WireError {
    WireError(
      message: message, hint: "choose a free serial port, as in /dev/ttyUSB0, and a speed that it supports")
  }
}
