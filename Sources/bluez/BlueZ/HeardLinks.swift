import Bluetooth
import EventLoop
import HCIPackets
import Kernel

/// Listens to the events of a controller's links that bluetoothd does not report and the kernel lets any program hear: encryption,
/// and why a link has ended.
@EventLoop
final class HeardLinks {
  private let open: @EventLoop (UInt16) -> HCISocket?
  private var controller: UInt16?
  private var socket: HCISocket?
  private var links: [(handle: LinkHandle, link: HeardLink)] = []

  /// - Parameter open: opens a socket for the events of a controller.
  init(open: @escaping @EventLoop (UInt16) -> HCISocket? = { try? HCISocket.open(on: $0) }) {
    self.open = open
  }

  /// Begins to hear a controller, unless it hears it already.
  func follow(_ controller: UInt16) {
    guard socket?.isOpen != true || controller != self.controller else { return }
    stop()
    self.controller = controller
    socket = open(controller)
    socket?.onEvent = { [weak self] in self?.take($0) }
  }

  func stop() {
    socket?.close()
    socket = nil
    links = []
  }

  /// Reads what the controller has reported so far.
  func catchUp() { socket?.catchUp() }

  /// The link that has this handle now.
  func link(_ handle: LinkHandle) -> HeardLink {
    catchUp()
    return present(handle)
  }

  /// The beginning of a link is not heard: anything about a handle after the end of its link is about the next one.
  private func present(_ handle: LinkHandle) -> HeardLink {
    if let present = links.first(where: { $0.handle == handle }) { return present.link }
    let link = HeardLink()
    links.append((handle, link))
    return link
  }

  private func take(_ event: HCIEvent) {
    if let handle = event.linkWithoutKey { return present(handle).note(.keyMissing) }
    switch event {
    case .encryptionChanged(let handle, isEncrypted: true): present(handle).wasEncrypted = true
    case .encryptionFailed(let handle, let error): present(handle).note(.encryptionFailed(error))
    case .disconnected(let handle, let reason):
      links.first { $0.handle == handle }?.link.reason = reason
      links.removeAll { $0.handle == handle }
    default: break
    }
  }
}

/// A link as it is heard.
@EventLoop
final class HeardLink {
  enum Problem: Hashable {
    /// The central has wanted to encrypt it with a key that this machine does not have.
    case keyMissing
    case encryptionFailed(HCIError)
  }

  /// Called when it has a new problem.
  var onProblem: (@EventLoop () -> Void)?
  /// Whether it has ever been encrypted.
  fileprivate(set) var wasEncrypted = false
  /// Why it has ended; nil: it has not.
  fileprivate(set) var reason: HCIError?
  private(set) var problems: [Problem] = []
  /// How many of them have been taken.
  private var taken = 0

  /// The problems that have not been taken yet.
  func takeProblems() -> ArraySlice<Problem> {
    defer { taken = problems.count }
    return problems[taken...]
  }

  fileprivate func note(_ problem: Problem) {
    problems.append(problem)
    onProblem?()
  }
}
