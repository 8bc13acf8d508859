import EventLoop
import Glibc

/// Our end of the socket that `AcquireNotify` gave to bluetoothd: each message is one notification.
///
/// bluetoothd reads it eagerly, so it is full only for moments. Values that do not fit wait here in order.
@EventLoop
final class NotifySocket {
  /// Bytes of kernel memory for the values that bluetoothd has not read: about 40 values (socket(7), SO_SNDBUF,
  /// which the kernel doubles). An ordinary socket holds 200, and an answer to a central would come that much
  /// later.
  private static let room: Int32 = 16 << 10
  /// How many values may wait while it is held. More are a congestion, which stops the wire side.
  private static let holdLimit = 64
  /// Not [], which Swift would create anew every time, in 2,000 instructions.
  private static let nothing = EventLoop.Readiness(rawValue: 0)

  private let descriptor: FileDescriptor
  private var pending: ArraySlice<ArraySlice<UInt8>> = []
  private var watch: EventLoop.DescriptorWatch?
  private var isCongested = false
  /// The ATT_MTU of the link at the time of `AcquireNotify`, bytes.
  let mtu: Int
  /// Called when bluetoothd has closed its end: the last central has unsubscribed or disconnected.
  var onHangUp: (() -> Void)?
  /// Called when values begin to wait (true), and when none waits any more (false).
  var onCongestion: ((Bool) -> Void)?

  /// While this is true, values wait here.
  var isHeld = false {
    didSet {
      updateInterests()
      if !isHeld { sendPending() }
    }
  }

  /// Makes the pair; the second is bluetoothd's end. nil if no descriptor is free.
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
    // No interests: a hang-up is always reported.
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
    // A congestion ends only when no value waits any more.
    guard isNow != isCongested, isNow || pending.isEmpty else { return }
    isCongested = isNow
    onCongestion?(isNow)
  }

  private func isReady(_ readiness: EventLoop.Readiness) {
    guard !readiness.hasEnded else {
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
      pending = []  // an empty slice would keep its memory
      updateInterests()
    }
    updateCongestion()
  }

  private func updateInterests() { watch?.interests = pending.isEmpty || isHeld ? Self.nothing : .writable }

  /// Whether the value is finished with: the kernel has taken it, or bluetoothd has closed its end.
  private func sendNow(_ value: ArraySlice<UInt8>) -> Bool {
    let count = value.withUnsafeBytes {
      Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    return count >= 0 || (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
  }
}
