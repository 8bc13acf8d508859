import Behavior
import EventLoop

/// Ends connections, as a device does that wants no more of them.
struct Disconnect: FaultEffect {
  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) {
    device.disconnect(central, .remoteUserTerminated)
  }
}
