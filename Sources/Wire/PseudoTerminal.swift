import EventLoop
import Glibc
import Peripheral

/// The serial side as a pseudo-terminal: terminal programs and pyserial open it as they would a serial port.
///
/// It is raw: no echo, no line editing, no translation of line ends. It holds its own terminal end open, so
/// that whoever uses it may close it and open it again.
@EventLoop
package final class PseudoTerminal: WireAttachment {
  private let port: DescriptorPort
  /// Held open, never read.
  private let terminalEnd: FileDescriptor
  private let link: String
  /// As in `/dev/pts/5`.
  package let device: String

  /// - Parameter path: where a symbolic link to the terminal is made; one that is there from an earlier run
  ///   is replaced, anything else is not.
  package init(linkedAt path: String) throws(WireError) {
    let (controller, terminal, device) = try Self.open()
    self.device = device
    link = path
    terminalEnd = terminal
    port = DescriptorPort(input: controller, output: controller, name: path)
    try Self.makeLink(path, to: device)
  }

  package var label: String { "\(link) -> \(device)" }

  package weak var host: (any WireHost)? {
    get { port.host }
    set { port.host = newValue }
  }

  package var isReading: Bool {
    get { port.isReading }
    set { port.isReading = newValue }
  }

  package func write(_ bytes: [UInt8]) { port.write(bytes) }

  package func close() {
    port.close()
    if Self.target(of: link) == device { unlink(link) }
  }
}

extension PseudoTerminal {
  private static func open() throws(WireError) -> (FileDescriptor, FileDescriptor, String) {
    let controller = posix_openpt(O_RDWR | O_NOCTTY)
    guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0 else {
      throw WireError(
        message: "no pseudo-terminal can be made: \(String(cString: strerror(errno)))",
        hint: "is /dev/pts mounted, and are there free ones (/proc/sys/kernel/pty)?")
    }
    let owner = FileDescriptor(owning: controller)
    _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
    _ = fcntl(controller, F_SETFL, fcntl(controller, F_GETFL) | O_NONBLOCK)
    let device = String(cString: ptsname(controller))
    let terminal = Glibc.open(device, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else {
      throw WireError(
        message: "cannot open \(device): \(String(cString: strerror(errno)))", hint: "is /dev/pts mounted?")
    }
    var settings = termios()
    tcgetattr(terminal, &settings)
    cfmakeraw(&settings)
    tcsetattr(terminal, TCSANOW, &settings)
    return (owner, FileDescriptor(owning: terminal), device)
  }

  private static func makeLink(_ path: String, to device: String) throws(WireError) {
    if let old = target(of: path), old.hasPrefix("/dev/pts/") { unlink(path) }
    guard symlink(device, path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw WireError(
        message: "cannot make the link '\(path)': \(reason)", hint: "name a path that is free, in a folder that you may write")
    }
  }

  private static func target(of path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
