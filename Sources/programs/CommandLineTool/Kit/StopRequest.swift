import EventLoop
import Glibc

/// Handles Ctrl-C and `kill`: the first signal ends the program in an orderly way, the second one at once. So does the loss of
/// the terminal, unless it has another meaning.
@EventLoop
final class StopRequest {
  private var watches: [EventLoop.SignalWatch] = []
  private var readerWatch: EventLoop.DescriptorWatch?
  private let request = Promise<Void>()
  private var hasSignal = false
  /// Called at the first signal.
  var onRequest: (() -> Void)?

  /// - Parameter onHangUp: what SIGHUP does; nil: it ends the program.
  init(onHangUp: (@EventLoop () -> Void)? = nil) {
    for number in [SIGINT, SIGTERM] { watch(number) { [weak self] in self?.take() } }
    watch(SIGHUP, onHangUp ?? { [weak self] in self?.take() })
  }

  private func watch(_ number: Int32, _ handler: @escaping @EventLoop () -> Void) {
    watches.append(EventLoop.SignalWatch(number, handler))
  }

  /// Also ends the program when the reader of a pipe has gone, as in `blemu run hm-10 | head -n 1`: that reader has what it wants.
  func watchReader(of descriptor: Int32) {
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFIFO else { return }
    readerWatch = EventLoop.DescriptorWatch(descriptor, for: []) { [weak self] _ in
      self?.readerWatch = nil
      self?.make()
    }
  }

  var isMade: Bool { request.isFulfilled }

  private func take() {
    if hasSignal { _exit(ExitStatus.interrupted.rawValue) }
    hasSignal = true
    make()
  }

  /// Ends the program in an orderly way, as the first signal does.
  func make() {
    request.fulfil()
    onRequest?()
  }

  func wait() async { await request.value() }
}
