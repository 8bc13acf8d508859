import EventLoop
import Glibc

/// Our end of the socket that `AcquireNotify` gave to bluetoothd: each message is one notification.
///
/// bluetoothd reads it eagerly, so it is full only for moments; what does not fit waits here in order.
@EventLoop
final class NotifySocket {
  private let descriptor: FileDescriptor
  private var pending: [ArraySlice<UInt8>] = []
  private var watch: EventLoop.DescriptorWatch?
  /// The ATT_MTU of the link when it was acquired, bytes.
  let mtu: Int
  /// bluetoothd has closed its end: the last central has unsubscribed or left.
  var onHangUp: (() -> Void)?
  /// Values have begun to wait, or none waits any more.
  var onCongestion: ((Bool) -> Void)?

  /// Makes the pair; the second is bluetoothd's end. nil when no descriptor is free.
  static func pair(mtu: Int) -> (NotifySocket, FileDescriptor)? {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    return (NotifySocket(FileDescriptor(owning: ends[0]), mtu: mtu), FileDescriptor(owning: ends[1]))
  }

  private init(_ descriptor: FileDescriptor, mtu: Int) {
    self.descriptor = descriptor
    self.mtu = mtu
    // Without interests: a hang-up is reported in any case.
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: []) { [weak self] in self?.isReady($0) }
  }

  func send(_ value: ArraySlice<UInt8>) {
    if pending.isEmpty, sendNow(value) { return }
    pending.append(value)
    if pending.count == 1 {
      watch?.interests = .writable
      onCongestion?(true)
    }
  }

  private func isReady(_ readiness: EventLoop.Readiness) {
    guard readiness.isDisjoint(with: [.hangUp, .error]) else {
      watch?.end()
      onHangUp?()
      return
    }
    let sent = pending.prefix { sendNow($0) }.count
    pending.removeFirst(sent)
    if pending.isEmpty, sent > 0 {
      watch?.interests = []
      onCongestion?(false)
    }
  }

  /// Whether the value needs no more care: it went, or there is nobody to take it.
  private func sendNow(_ value: ArraySlice<UInt8>) -> Bool {
    let count = value.withUnsafeBytes {
      Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    return count >= 0 || (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
  }
}
