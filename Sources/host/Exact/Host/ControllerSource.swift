import EventLoop
import Kernel
import Peripheral

/// Where a host gets its controller, each time it needs one.
enum ControllerSource: Hashable {
  case place(ControllerPlace)
  case adapter(KernelAdapter)
  case imitation(ImitatedController)
}

@EventLoop
extension ControllerSource {
  /// What the log calls it.
  var name: String {
    switch self {
    case .place(let place): place.description
    case .adapter(let adapter): adapter.name
    case .imitation(let controller): controller.name
    }
  }

  /// The Bluetooth stack on it, for the log.
  var stack: String {
    switch self {
    case .place, .imitation: "exact"
    case .adapter: "exact (detached from the kernel while blemu runs)"
    }
  }

  /// What the user should know about it before the device is on the air.
  var warnings: [String] {
    switch self {
    case .place, .imitation: []
    case .adapter(let adapter): adapter.warnings
    }
  }

  /// Connects to the controller.
  func connect() async throws(TransportError) -> ControllerConnection {
    switch self {
    case .place(let place):
      do throws(ControllerFinding) { return try await place.connect() } catch { throw TransportError(error) }
    case .adapter(let adapter):
      do throws(AdapterFinding) { return try await adapter.take() } catch { throw TransportError(error) }
    case .imitation(let controller): return controller.connect()
    }
  }
}

// MARK: The devices that need it

@EventLoop
extension ControllerSource {
  /// A device needs it from now on.
  func begin() {
    if case .adapter(let adapter) = self { adapter.users += 1 }
  }

  /// A device needs it no more, and has left the host. The last one makes the controller what it was.
  ///
  /// - Returns: a message for the user if that fails.
  func end() async -> String? {
    guard case .adapter(let adapter) = self else { return nil }
    adapter.users -= 1
    return adapter.users == 0 ? await adapter.giveBack() : nil
  }
}
