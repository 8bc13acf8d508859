import Bluetooth

/// Advertises as a device that is not connectable, and ends the connection of a central that connects anyway. Such a device is
/// not discoverable (Core Specification, Vol 3 Part C 9.1.1), and BlueZ insists on that.
struct RefuseConnections: FaultEffect {
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? {
    var changed = advertisement
    (changed.isConnectable, changed.isDiscoverable) = (false, false)
    changed.target = nil
    return changed
  }

  var refusesConnections: Bool { true }
}
