import CGLib
import Glibc

/// A timer of the kernel that ends the wait for descriptors (timerfd_create(2)).
///
/// It stays set from one wait to the next, and is set again only for an earlier instant. With a limit of its own, each wait
/// would make the kernel set a timer and cancel it, which is 6 % of what a write command costs.
@EventLoop
final class WakeUpTimer {
  static let shared = WakeUpTimer()

  private let descriptor = FileDescriptor(
    required: timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK)))
  private var watch: EventLoop.DescriptorWatch?
  /// When it expires, on the clock of ``EventLoop/now``; the greatest number: it is not set.
  private var instant = Int64.max

  private init() {
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [unowned self] _ in goOff() }
  }

  /// Makes sure that it expires at an instant or before.
  func goOff(by latest: Int64) {
    guard latest < instant else { return }
    instant = latest
    var setting = itimerspec()
    setting.it_value = timespec(tv_sec: Int(latest / 1_000_000), tv_nsec: Int(latest % 1_000_000) * 1000)
    timerfd_settime(descriptor.rawValue, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  private func goOff() {
    instant = .max
    var count: UInt64 = 0
    read(descriptor.rawValue, &count, MemoryLayout.size(ofValue: count))
  }
}
