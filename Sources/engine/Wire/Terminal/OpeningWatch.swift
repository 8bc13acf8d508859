import EventLoop
import Glibc

/// Reports when programs open and close a file (inotify(7)).
@EventLoop
final class OpeningWatch {
  private let descriptor: FileDescriptor
  private var watch: EventLoop.DescriptorWatch?
  private let handler: (_ isOpening: Bool) -> Void
  private static let closings = UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)

  /// nil if the system has no watch left.
  init?(_ path: String, _ handler: @escaping (_ isOpening: Bool) -> Void) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { return nil }
    descriptor = FileDescriptor(owning: number)
    self.handler = handler
    guard inotify_add_watch(number, path, UInt32(IN_OPEN) | Self.closings) >= 0 else { return nil }
    watch = EventLoop.DescriptorWatch(number, for: .readable) { [weak self] _ in self?.read() }
  }

  func end() { watch = nil }

  /// `struct inotify_event`: the mask is the second of four words; the fourth is the length of the name after it.
  private func read() {
    var words = [UInt32](repeating: 0, count: 1024)
    let count = Glibc.read(descriptor.rawValue, &words, words.count * 4) / 4
    var start = 0
    while start + 4 <= count {
      if words[start + 1] & UInt32(IN_OPEN) != 0 { handler(true) }
      if words[start + 1] & Self.closings != 0 { handler(false) }
      start += 4 + Int(words[start + 3]) / 4
    }
  }
}
