import Behavior
import EventLoop

/// Ends connections, as if the device itself closed them.
struct Disconnect: FaultEffect {
  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) {
    device.disconnect(central, .remoteUserTerminated)
  }
}
