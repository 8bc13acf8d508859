import Bluetooth

/// Advertises as a device to which no central can connect, and ends the connection of one that does.
struct RefuseConnections: FaultEffect {
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? {
    var changed = advertisement
    changed.isConnectable = false
    changed.target = nil
    return changed
  }

  var refusesConnections: Bool { true }
}
