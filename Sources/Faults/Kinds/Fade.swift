import Bluetooth

/// Lets others receive the device with another strength.
struct Fade: FaultEffect {
  /// dBm
  let rssi: Int

  func move(_ path: inout RadioPath) { path.rssi = rssi }
}
