import EventLoop
import Glibc

/// The numbers of the kernel's include/net/bluetooth/bluetooth.h and hci_sock.h.
extension HCISocket {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let rawChannel: UInt16 = 0
  private static let hciLevel: Int32 = 0
  private static let filterOption: Int32 = 2

  /// Opens a socket for a controller. One that is off takes no commands.
  ///
  /// The kernel gives a program without `CAP_NET_RAW` no LE events, and takes no commands from it.
  package static func open(on controller: UInt16) throws(HCICommandError) -> HCISocket {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = socket(Int32(family), kind, hci)
    guard rawValue >= 0 else { throw HCICommandError(code: errno) }
    let descriptor = FileDescriptor(owning: rawValue)
    guard choosePackets(of: descriptor), chooseSubevents(of: descriptor), bind(descriptor, to: controller)
    else { throw HCICommandError(code: errno) }
    return HCISocket(adopting: descriptor)
  }

  /// Binds to `struct sockaddr_hci`: family, index and channel, 2 bytes each in the byte order of the machine.
  private static func bind(_ descriptor: FileDescriptor, to controller: UInt16) -> Bool {
    let address: [UInt16] = [family, controller, rawChannel]
    return address.withUnsafeBytes {
      Glibc.bind(
        descriptor.rawValue, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
    }
  }
}

// MARK: What passes

extension HCISocket {
  /// Disconnection Complete, Encryption Change, Command Complete, Command Status, Encryption Key Refresh Complete, LE Meta.
  /// Number Of Completed Packets is not among them: it would wake this program for each packet that it sends.
  private static let events: [UInt64] = [0x05, 0x08, 0x0E, 0x0F, 0x30, 0x3E]
  /// LE (Enhanced) Connection Complete, LE Connection Update Complete, LE Data Length Change, LE PHY Update Complete, LE
  /// Advertising Set Terminated. The others are mostly reports of what a scan hears.
  private static let subevents: [UInt32] = [0x01, 0x0A, 0x29, 0x03, 0x07, 0x0C, 0x12]

  /// Sets `struct hci_filter`: masks of packet types (4 bytes) and of events (8), an opcode (2) and padding.
  private static func choosePackets(of descriptor: FileDescriptor) -> Bool {
    let commandsAndEvents: UInt32 = 1 << 1 | 1 << 4
    let mask = events.reduce(0) { $0 | 1 << $1 }
    let filter = [commandsAndEvents, UInt32(truncatingIfNeeded: mask), UInt32(mask >> 32), 0]
    return setsockopt(
      descriptor.rawValue, hciLevel, filterOption, filter, socklen_t(filter.count * MemoryLayout<UInt32>.size)
    ) == 0
  }

  /// Lets the kernel drop other subevents of LE Meta (socket(7), `SO_ATTACH_FILTER`).
  static func chooseSubevents(of descriptor: FileDescriptor) -> Bool {
    var program = SubeventFilter(subevents).instructions
    return program.withUnsafeMutableBufferPointer { instructions in
      // struct sock_fprog: how many instructions there are (2 bytes, and padding to 8), and where
      var description = [UInt(instructions.count), UInt(bitPattern: instructions.baseAddress)]
      return setsockopt(
        descriptor.rawValue, SOL_SOCKET, SO_ATTACH_FILTER, &description,
        socklen_t(description.count * MemoryLayout<UInt>.size)) == 0
    }
  }
}

/// A program for the kernel's packet filter (linux/filter.h) that drops the events of LE Meta except some.
///
/// An event begins with 0x04, its code, a length and, for LE Meta, the subevent; a command with 0x01.
struct SubeventFilter {
  /// Each is `struct sock_filter`: code (2 bytes), jumps if true and if false (1 each), operand (4), in the byte order of
  /// this machine, which is little-endian.
  let instructions: [UInt64]

  private static let loadByte: UInt16 = 0x30
  private static let jumpIfEqual: UInt16 = 0x15
  private static let pass: UInt16 = 0x06

  init(_ subevents: [UInt32]) {
    let count = UInt8(subevents.count)
    var program = [
      Self.instruction(Self.loadByte, 0),
      Self.instruction(Self.jumpIfEqual, 0x04, ifFalse: count + 4),
      Self.instruction(Self.loadByte, 1),
      Self.instruction(Self.jumpIfEqual, 0x3E, ifFalse: count + 2),
      Self.instruction(Self.loadByte, 3),
    ]
    for (index, subevent) in subevents.enumerated() {
      program.append(Self.instruction(Self.jumpIfEqual, subevent, ifTrue: count - UInt8(index)))
    }
    program += [Self.instruction(Self.pass, 0), Self.instruction(Self.pass, .max)]
    instructions = program
  }

  private static func instruction(
    _ code: UInt16, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0
  ) -> UInt64 {
    UInt64(code) | UInt64(ifTrue) << 16 | UInt64(ifFalse) << 24 | UInt64(operand) << 32
  }
}
