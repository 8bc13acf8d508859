import EventLoop
import Glibc
import Privileges

/// The numbers of the kernel's include/net/bluetooth/bluetooth.h and hci_sock.h.
extension HCISocket {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let rawChannel: UInt16 = 0
  private static let hciLevel: Int32 = 0
  private static let filterOption: Int32 = 2

  /// Opens a socket for a controller. A controller that is off takes no commands.
  ///
  /// The kernel gives a program without `CAP_NET_RAW` no LE events, and takes no commands from it.
  package static func open(on controller: UInt16) throws(HCICommandError) -> HCISocket {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = socket(Int32(family), kind, hci)
    guard rawValue >= 0 else { throw HCICommandError(code: errno) }
    let descriptor = FileDescriptor(owning: rawValue)
    guard choosePackets(of: descriptor.rawValue), attachFilter(to: descriptor),
      bind(descriptor, to: controller)
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

// MARK: The filter

extension HCISocket {
  /// Disconnection Complete, Encryption Change, Command Complete, Command Status, Encryption Key Refresh Complete, LE Meta.
  /// Number Of Completed Packets is not among them: it would wake this program for each packet that it sends.
  private static let events: [UInt64] = [0x05, 0x08, 0x0E, 0x0F, 0x30, 0x3E]
  /// LE (Enhanced) Connection Complete, LE Connection Update Complete, LE Data Length Change, LE PHY Update Complete, LE
  /// Advertising Set Terminated. The others are mostly scan reports.
  private static let subevents: [UInt32] = [0x01, 0x0A, 0x29, 0x03, 0x07, 0x0C, 0x12]

  /// Sets `struct hci_filter`: masks of packet types (4 bytes) and of events (8), an opcode (2) and padding. The kernel looks for
  /// `CAP_NET_RAW` each time, and leaves out the events that a program without it may not see.
  static func choosePackets(of descriptor: Int32, withData: Bool = false) -> Bool {
    let commandsAndEvents: UInt32 = 1 << 1 | 1 << 4
    let mask = events.reduce(0) { $0 | 1 << $1 }
    let filter = [
      commandsAndEvents | (withData ? 1 << 2 : 0), UInt32(truncatingIfNeeded: mask), UInt32(mask >> 32), 0,
    ]
    let size = socklen_t(filter.count * MemoryLayout<UInt32>.size)
    return Privileges.raised { setsockopt(descriptor, hciLevel, filterOption, filter, size) == 0 }
  }

  /// Lets the kernel drop other subevents of LE Meta, and data other than Pairing Requests (socket(7), `SO_ATTACH_FILTER`).
  static func attachFilter(to descriptor: FileDescriptor) -> Bool {
    var program = PacketFilter(subevents).instructions
    return program.withUnsafeMutableBufferPointer { instructions in
      // struct sock_fprog: how many instructions there are (2 bytes, and padding to 8), and where
      var description = [UInt(instructions.count), UInt(bitPattern: instructions.baseAddress)]
      return setsockopt(
        descriptor.rawValue, SOL_SOCKET, SO_ATTACH_FILTER, &description,
        socklen_t(description.count * MemoryLayout<UInt>.size)) == 0
    }
  }
}

/// A program for the kernel's packet filter (linux/filter.h) that drops most events of LE Meta, and all data except packets that
/// may be a Pairing Request.
///
/// A command begins with 0x01. An event begins with 0x04, its code, a length and, for LE Meta, the subevent. Data begins with
/// 0x02, a handle and two lengths; for a Pairing Request, channel 0x0006 and code 0x01 follow.
struct PacketFilter {
  /// Each is `struct sock_filter`: code (2 bytes), jumps if true and if false (1 each), operand (4), in the byte order of
  /// this machine, which is little-endian.
  private(set) var instructions: [UInt64] = []

  private static let loadByte: UInt16 = 0x30
  private static let loadHalf: UInt16 = 0x28  // the first byte is the more significant one
  private static let jumpIfEqual: UInt16 = 0x15
  private static let end: UInt16 = 0x06

  init(_ subevents: [UInt32]) {
    let count = UInt8(subevents.count)
    add(Self.loadByte, 0)
    add(Self.jumpIfEqual, 0x02, ifFalse: 6)
    add(Self.loadHalf, 7)
    add(Self.jumpIfEqual, 0x0600, ifFalse: 2)
    add(Self.loadByte, 9)
    add(Self.jumpIfEqual, 0x01, ifTrue: 1)
    add(Self.end, 0)
    add(Self.end, .max)
    add(Self.jumpIfEqual, 0x04, ifFalse: count + 4)
    add(Self.loadByte, 1)
    add(Self.jumpIfEqual, 0x3E, ifFalse: count + 2)
    add(Self.loadByte, 3)
    for (index, subevent) in subevents.enumerated() {
      add(Self.jumpIfEqual, subevent, ifTrue: count - UInt8(index))
    }
    add(Self.end, 0)
    add(Self.end, .max)
  }

  private mutating func add(_ code: UInt16, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) {
    instructions.append(
      UInt64(code) | UInt64(ifTrue) << 16 | UInt64(ifFalse) << 24 | UInt64(operand) << 32)
  }
}
