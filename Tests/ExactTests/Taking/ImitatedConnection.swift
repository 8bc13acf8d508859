import EventLoop
import TestSupport

@testable import Kernel

/// A connection to a controller that says nothing.
@EventLoop
func imitatedConnection(to place: ControllerPlace) -> ControllerConnection {
  ControllerConnection(adopting: pairOfSockets().0, of: place, .ofKernel)
}
