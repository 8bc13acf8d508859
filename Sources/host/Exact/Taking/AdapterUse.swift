import Bluetooth
import Peripheral

/// What other programs do with an adapter.
struct AdapterUse: Hashable {
  /// The devices with which it has a connection, LE or BR/EDR.
  var connected: [DeviceAddress] = []
  /// How many advertisements the kernel sends.
  var advertisements = 0

  /// What ends if a program takes the adapter; nil: nothing.
  func finding(on adapter: String) -> AdapterFinding? {
    guard !connected.isEmpty || advertisements > 0 else { return nil }
    return .othersUse(adapter, connected: connected, advertisements: advertisements)
  }
}
