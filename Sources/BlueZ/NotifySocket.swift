import EventLoop
import Glibc

/// Our end of the socket that `AcquireNotify` gave to bluetoothd: each message is one notification.
///
/// bluetoothd reads it eagerly, so it is full only for moments; what does not fit waits here in order.
@EventLoop
final class NotifySocket {
  /// Bytes of kernel memory for what bluetoothd has not read: about 40 values (socket(7), SO_SNDBUF, which the kernel
  /// doubles). With the 200 values of an ordinary socket, an answer to a central would come that much later.
  private static let room: Int32 = 16 << 10
  /// Values that may wait while it is held before that is a congestion, for which a serial line stands still.
  private static let holdLimit = 64

  private let descriptor: FileDescriptor
  private var pending: ArraySlice<ArraySlice<UInt8>> = []
  private var watch: EventLoop.DescriptorWatch?
  private var isCongested = false
  /// The ATT_MTU of the link when it was acquired, bytes.
  let mtu: Int
  /// bluetoothd has closed its end: the last central has unsubscribed or left.
  var onHangUp: (() -> Void)?
  /// Values have begun to wait, or none waits any more.
  var onCongestion: ((Bool) -> Void)?

  /// While it is held, values wait here.
  var isHeld = false {
    didSet {
      updateInterests()
      if !isHeld { sendPending() }
    }
  }

  /// Makes the pair; the second is bluetoothd's end. nil when no descriptor is free.
  static func pair(mtu: Int) -> (NotifySocket, FileDescriptor)? {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    var room = Self.room
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    return (NotifySocket(FileDescriptor(owning: ends[0]), mtu: mtu), FileDescriptor(owning: ends[1]))
  }

  private init(_ descriptor: FileDescriptor, mtu: Int) {
    self.descriptor = descriptor
    self.mtu = mtu
    // Without interests: a hang-up is reported in any case.
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: []) { [weak self] in self?.isReady($0) }
  }

  /// Whether there are values that bluetoothd has not read yet.
  var hasUnread: Bool {
    var size: Int32 = 0
    return ioctl(descriptor.rawValue, UInt(TIOCOUTQ), &size) == 0 && size > 0
  }

  func send(_ value: ArraySlice<UInt8>) {
    if !isHeld, pending.isEmpty, sendNow(value) { return }
    pending.append(value)
    if pending.count == 1 { updateInterests() }
    updateCongestion()
  }

  private func updateCongestion() {
    let isNow = pending.count > (isHeld ? Self.holdLimit : 0)
    // Once there is one, it ends when nothing waits any more.
    guard isNow != isCongested, isNow || pending.isEmpty else { return }
    isCongested = isNow
    onCongestion?(isNow)
  }

  private func isReady(_ readiness: EventLoop.Readiness) {
    guard readiness.isDisjoint(with: [.hangUp, .error]) else {
      watch?.end()
      onHangUp?()
      return
    }
    if !isHeld { sendPending() }
  }

  private func sendPending() {
    guard !pending.isEmpty else { return }
    let slice = EventLoop.Slice()
    while let value = pending.first, sendNow(value) {
      pending.removeFirst()
      if slice.isOver { break }
    }
    if pending.isEmpty {
      pending = []  // an empty slice would keep the room for all that ever waited
      updateInterests()
    }
    updateCongestion()
  }

  private func updateInterests() { watch?.interests = pending.isEmpty || isHeld ? [] : .writable }

  /// Whether the value needs no more care: it went, or there is nobody to take it.
  private func sendNow(_ value: ArraySlice<UInt8>) -> Bool {
    let count = value.withUnsafeBytes {
      Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    return count >= 0 || (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
  }
}
