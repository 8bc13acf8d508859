import EventLoop
import Glibc

extension ControllerConnection {
  /// ioctl_tty(2): `TIOCEXCL` and `TIOCNXCL`, whose macros are not imported.
  private static let exclusive: UInt = 0x540C
  private static let shared: UInt = 0x540D

  /// Opens a serial port for this program alone: 8 data bits, no parity, one stop bit, hardware flow control.
  ///
  /// - Parameter speed: in bits per second.
  package static func open(uart path: String, speed: Int) throws(ControllerFinding) -> ControllerConnection {
    let number = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw ControllerFinding(opening: path, errno) }
    let descriptor = FileDescriptor(owning: number)
    guard TerminalSettings(of: number) != nil else { throw .notASerialPort(path: path) }
    // The kernel lets root open a terminal that is exclusive. The lock is for that.
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .portInUse(path: path) }
    _ = ioctl(number, exclusive, 0)
    guard TerminalSettings.makeRaw(number), var settings = TerminalSettings(of: number) else {
      throw .notASerialPort(path: path)
    }
    settings.baudRate = speed
    settings.ignoreModemLines()
    settings.useHardwareFlowControl()
    guard settings.apply(to: number) else { throw .badSpeed(path: path, speed: speed) }
    // Drops what is left of an earlier program's.
    tcflush(number, TCIOFLUSH)
    return ControllerConnection(
      adopting: descriptor, of: .uart(path: path, speed: speed), beginsWithReset: true)
  }

  /// Lets other programs open a serial port. The kernel does so at the last close, but one end of a pseudo-terminal may be
  /// open in the program that imitates a board.
  static func share(_ descriptor: FileDescriptor) { _ = ioctl(descriptor.rawValue, shared, 0) }
}

extension ControllerFinding {
  fileprivate init(opening path: String, _ code: Int32) {
    switch code {
    case ENOENT: self = .noSerialPort(path: path)
    case EACCES, EPERM: self = .mayNotOpen(path: path)
    case EBUSY: self = .portInUse(path: path)
    case ENOTDIR, EISDIR: self = .notASerialPort(path: path)
    default: self = .cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
  }
}
