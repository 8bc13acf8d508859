import EventLoop
import TestSupport

@testable import Kernel

/// A socket whose kernel follows a script.
@EventLoop
func socket(_ script: String) -> (ManagementSocket, FakeKernel) {
  let (ours, theirs) = pairOfSockets()
  return (ManagementSocket(adopting: ours), FakeKernel(theirs, script))
}
