import EventLoop
import Kernel

/// A controller that this program imitates, for tests.
package final class ImitatedController: Sendable {
  /// What the log calls it.
  let name: String
  let connect: @EventLoop @Sendable () -> ControllerConnection

  /// - Parameter connect: connects to it, each time a host needs it.
  package init(_ name: String, connect: @escaping @EventLoop @Sendable () -> ControllerConnection) {
    (self.name, self.connect) = (name, connect)
  }
}

extension ImitatedController: Hashable {
  package static func == (one: ImitatedController, other: ImitatedController) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
