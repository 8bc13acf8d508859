import Behavior
import EventLoop

/// Ends connections without a goodbye, as if the central were out of range.
struct LoseLink: FaultEffect {
  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) { device.loseLink(of: central) }
}
