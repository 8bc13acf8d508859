import EventLoop
import Framing
import Glibc
import HCIPackets
import System

/// The kernel's monitor channel: everything between this machine and its controllers (`HCI_CHANNEL_MONITOR` of its
/// include/net/bluetooth/hci_sock.h and hci_mon.h). It needs `CAP_NET_RAW`.
@EventLoop
package final class HCIMonitor {
  package struct Message: Hashable, Sendable {
    /// Since 1970.
    package var time: Instant
    package var opcode: UInt16
    /// The index of the controller.
    package var controller: UInt16
    package var bytes: ArraySlice<UInt8>
  }

  /// A header, and the longest packet that a controller of Linux has (`HCI_MAX_FRAME_SIZE`).
  private static let longest = 6 + 1028
  /// How many messages one turn of the loop reads.
  private static let messagesPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  private let descriptor: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: longest)

  /// Called with each message.
  package var onMessage: (@EventLoop (Message) -> Void)?

  /// - Parameter descriptor: a socket in non-blocking mode.
  package init(adopting descriptor: FileDescriptor) {
    self.descriptor = descriptor
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in self?.read() }
  }

  /// Reads what has arrived.
  package func catchUp() {
    while readOne() {}
  }

  private func read() {
    for _ in 0..<Self.messagesPerTurn {
      guard readOne() else { return }
    }
  }

  /// Whether there may be more.
  private func readOne() -> Bool {
    var time: Instant?
    let count = buffer.withUnsafeMutableBytes { descriptor.receive(into: $0, time: &time) }
    guard count > 0 else { return false }
    // struct hci_mon_hdr: opcode, index and length, 2 bytes each, the least significant first
    guard count >= 6 else { return true }
    let numbers = stride(from: 0, to: 6, by: 2).map { UInt16(buffer[$0]) | UInt16(buffer[$0 + 1]) << 8 }
    onMessage?(
      Message(
        time: time ?? Instant(), opcode: numbers[0], controller: numbers[1],
        bytes: buffer[6..<min(count, 6 + Int(numbers[2]))]))
    return true
  }
}

// MARK: Opening

extension HCIMonitor {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let everyController: UInt16 = 0xFFFF
  private static let monitorChannel: UInt16 = 2
  /// So much may wait while this program does something else, bytes.
  private static let room: Int32 = 1 << 20

  package static func open() throws(HCISocketError) -> HCIMonitor {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = socket(Int32(family), kind, hci)
    guard rawValue >= 0 else { throw HCISocketError(code: errno) }
    let descriptor = FileDescriptor(owning: rawValue)
    // struct sockaddr_hci: family, index and channel, 2 bytes each in the byte order of the machine
    let address: [UInt16] = [family, everyController, monitorChannel]
    let isBound = Privileges.raised {
      address.withUnsafeBytes {
        bind(
          descriptor.rawValue, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
          == 0
      }
    }
    guard isBound else { throw HCISocketError(code: errno) }
    descriptor.set(SO_TIMESTAMP, to: 1)
    descriptor.set(SO_RCVBUF, to: room)
    return HCIMonitor(adopting: descriptor)
  }
}

extension FileDescriptor {
  fileprivate func set(_ option: Int32, to value: Int32) {
    var value = value
    setsockopt(rawValue, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Receives a message, with the time at which the kernel got it (socket(7), `SO_TIMESTAMP`).
  fileprivate func receive(into buffer: UnsafeMutableRawBufferPointer, time: inout Instant?) -> Int {
    // struct cmsghdr: length (8 bytes), level and type (4 each); then struct timeval: seconds, microseconds (8 each)
    var control: [Int64] = [0, 0, 0, 0, 0, 0, 0, 0]
    var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    let (count, controlLength) = control.withUnsafeMutableBytes { control in
      withUnsafeMutablePointer(to: &part) { part in
        var message = msghdr()
        (message.msg_iov, message.msg_iovlen) = (part, 1)
        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
        return (recvmsg(rawValue, &message, 0), message.msg_controllen)
      }
    }
    let head = Int64(SOL_SOCKET) | Int64(SO_TIMESTAMP) << 32
    if controlLength >= 32, control[1] == head {
      time = Instant(microseconds: control[2] &* 1_000_000 &+ control[3])
    }
    return count
  }
}
