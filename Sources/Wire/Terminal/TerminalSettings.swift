import Glibc

/// The settings of a terminal as the kernel has them: `struct termios2` of asm-generic/termbits.h, which knows every
/// speed as a number, where termios(3) knows names for some.
struct TerminalSettings {
  /// ioctl_tty(2): `TCGETS2` and `TCSETS2`, whose macros are not imported.
  private static let get: UInt = 0x802C_542A
  private static let set: UInt = 0x402C_542B
  /// The bits of the control modes that name a speed, for output and for input.
  private static let speedMask: UInt32 = 0x100F | 0x100F << 16
  /// In place of a name: the speed stands in a field of its own.
  private static let speedStandsApart: UInt32 = 0x1000
  /// Receives, and does not look at modem lines.
  private static let receiverAndLocal: UInt32 = 0x80 | 0x800
  private static let controlModes = 2
  private static let inputSpeed = 9
  private static let outputSpeed = 10

  /// Four words of modes, five with the line discipline and 19 control characters, two speeds.
  private var words = [UInt32](repeating: 0, count: 11)

  /// nil: it is no terminal, or it has gone.
  init?(of descriptor: Int32) {
    guard ioctl(descriptor, Self.get, &words) == 0 else { return nil }
  }

  /// Bits a second.
  var baudRate: Int {
    get { Int(words[Self.outputSpeed]) }
    set {
      words[Self.controlModes] &= ~Self.speedMask
      words[Self.controlModes] |= Self.speedStandsApart
      words[Self.inputSpeed] = UInt32(newValue)
      words[Self.outputSpeed] = UInt32(newValue)
    }
  }

  /// Whether it was done.
  func apply(to descriptor: Int32) -> Bool {
    var words = words
    return ioctl(descriptor, Self.set, &words) == 0
  }

  mutating func ignoreModemLines() { words[Self.controlModes] |= Self.receiverAndLocal }

  /// No echo, no line editing, no translation of line ends.
  static func makeRaw(_ descriptor: Int32) -> Bool {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    cfmakeraw(&settings)
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }
}
