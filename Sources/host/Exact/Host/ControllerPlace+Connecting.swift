import EventLoop
import Kernel
import Peripheral

extension ControllerPlace {
  /// Connects to the controller.
  @EventLoop
  func connect() async throws(ControllerFinding) -> ControllerConnection {
    switch self {
    case .tcp(let host, let port): try await .connect(host: host, port: port)
    case .uart(let path, let speed): try .open(uart: path, speed: speed)
    case .adapter(let index): try .take(adapter: index)
    }
  }
}

extension TransportError {
  init(_ finding: ControllerFinding) {
    let kind: Kind =
      switch finding {
      case .mayNotOpen, .mayNotTakeAdapter: .noPermission
      default: .unavailable
      }
    let (message, hint) = finding.sentences
    self.init(kind, message, hint: hint)
  }
}
