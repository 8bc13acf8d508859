import Bluetooth

/// Loses packets on the way from and to the device.
struct LosePackets: FaultEffect {
  let percent: Int

  func move(_ path: inout RadioPath) { path.loss = max(path.loss, percent) }
}
