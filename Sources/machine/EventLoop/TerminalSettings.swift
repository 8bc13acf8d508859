import Glibc

/// The kernel's settings of a terminal: `struct termios2` of asm-generic/termbits.h, which holds any speed as a number.
/// termios(3) has names for some speeds only.
package struct TerminalSettings {
  /// ioctl_tty(2): `TCGETS2` and `TCSETS2`, whose macros are not imported.
  private static let get: UInt = 0x802C_542A
  private static let set: UInt = 0x402C_542B
  /// The speed bits of the control modes, for output and for input.
  private static let speedMask: UInt32 = 0x100F | 0x100F << 16
  /// `BOTHER`: the speed is in a separate field.
  private static let separateSpeed: UInt32 = 0x1000
  /// `CREAD | CLOCAL`: enables the receiver and ignores the modem lines.
  private static let receiverAndLocal: UInt32 = 0x80 | 0x800
  /// `CRTSCTS`
  private static let hardwareFlowControl: UInt32 = 0x8000_0000
  /// `CSTOPB`
  private static let twoStopBits: UInt32 = 0x40
  private static let controlModes = 2
  private static let inputSpeed = 9
  private static let outputSpeed = 10

  /// Four words of modes, five with the line discipline and 19 control characters, two speeds.
  private var words = [UInt32](repeating: 0, count: 11)

  /// nil if the descriptor is not, or is no longer, a terminal.
  package init?(of descriptor: Int32) {
    guard ioctl(descriptor, Self.get, &words) == 0 else { return nil }
  }

  /// The speed, bits per second.
  package var baudRate: Int {
    get { Int(words[Self.outputSpeed]) }
    set {
      words[Self.controlModes] &= ~Self.speedMask
      words[Self.controlModes] |= Self.separateSpeed
      words[Self.inputSpeed] = UInt32(newValue)
      words[Self.outputSpeed] = UInt32(newValue)
    }
  }

  /// Whether the lines RTS and CTS control the flow.
  package var hasHardwareFlowControl: Bool { words[Self.controlModes] & Self.hardwareFlowControl != 0 }

  /// Lets the lines RTS and CTS control the flow, and sets one stop bit.
  package mutating func useHardwareFlowControl() {
    words[Self.controlModes] |= Self.hardwareFlowControl
    words[Self.controlModes] &= ~Self.twoStopBits
  }

  /// Applies the settings; false if the terminal does not accept them.
  package func apply(to descriptor: Int32) -> Bool {
    var words = words
    return ioctl(descriptor, Self.set, &words) == 0
  }

  package mutating func ignoreModemLines() { words[Self.controlModes] |= Self.receiverAndLocal }

  /// Turns off echo, line editing and the translation of line ends, and sets 8 data bits without parity.
  package static func makeRaw(_ descriptor: Int32) -> Bool {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    cfmakeraw(&settings)
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }
}
