import EventLoop
import Glibc
import Peripheral

/// Connects the wire side to a pseudo-terminal, which programs open like a serial port.
///
/// The terminal is raw: no echo, no line editing, no translation of line ends. It stays open at this end, so programs
/// may close it and open it again. Reports openings, closings and the speed that programs set.
@EventLoop
package final class PseudoTerminal: DescriptorAttachment {
  let port: DescriptorStream
  /// Kept open, never read.
  private let terminalEnd: FileDescriptor
  private let link: String
  private var use: TerminalUse?
  /// The path of the terminal, as in `/dev/pts/5`.
  package let device: String

  /// - Parameter path: the path of the symbolic link to the terminal. Replaces a link that an earlier run left, but
  ///   nothing else.
  package init(linkedAt path: String) throws(WireError) {
    let (controller, terminal, device) = try Self.open()
    self.device = device
    link = path
    terminalEnd = terminal
    port = DescriptorStream(input: controller, output: controller, name: path)
    try Self.makeLink(path, to: device)
  }

  package var label: String { "\(link) -> \(device)" }

  package func start() {
    use = TerminalUse(device, terminalEnd) { [weak self] in self?.host?.report($0) }
  }

  package func close() {
    use?.end()
    port.close()
    if SymbolicLink.target(of: link) == device { unlink(link) }
  }
}

extension PseudoTerminal {
  /// Linux pty(7): `TIOCSPTLCK` and `TIOCGPTN` of asm-generic/ioctls.h, whose macros are not imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Creates the controller and the raw terminal, and returns them with the terminal's path.
  static func open() throws(WireError) -> (FileDescriptor, FileDescriptor, String) {
    let controller = FileDescriptor(owning: try open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK))
    var unlocked: Int32 = 0
    var number: Int32 = -1
    guard ioctl(controller.rawValue, setLock, &unlocked) == 0,
      ioctl(controller.rawValue, getNumber, &number) == 0
    else { throw failure("create a pseudo-terminal") }
    let device = "/dev/pts/\(number)"
    let terminal = FileDescriptor(owning: try open(device, O_RDWR | O_NOCTTY))
    _ = TerminalSettings.makeRaw(terminal.rawValue)
    return (controller, terminal, device)
  }

  private static func open(_ path: String, _ flags: Int32) throws(WireError) -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open \(path)") }
    return descriptor
  }

  private static func failure(_ what: String) -> WireError {
    WireError(
      message: "cannot \(what): \(String(cString: strerror(errno)))",
      hint: "check that /dev/pts is mounted and a pseudo-terminal is free (/proc/sys/kernel/pty)")
  }

  private static func makeLink(_ path: String, to device: String) throws(WireError) {
    if let old = SymbolicLink.target(of: path), old.hasPrefix("/dev/pts/") { unlink(path) }
    guard symlink(device, path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw WireError(
        message: "cannot create the link '\(path)': \(reason)",
        hint: "choose an unused path in a folder that you can write to")
    }
  }
}
