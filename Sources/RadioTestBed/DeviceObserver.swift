import Bluetooth
import EventLoop
import Peripheral

/// Tracks the centrals and subscriptions that the device knows. bluetoothd answers a central before it tells the device.
@EventLoop
final class DeviceObserver: TrafficSink {
  private(set) var adapterAddress: DeviceAddress?
  /// The device's, if it is not the adapter's.
  private(set) var ownAddress: DeviceAddress?
  private(set) var centralCount = 0
  /// The ids of characteristics.
  private(set) var subscribed: Set<String> = []
  private let changes: Condition

  init(_ changes: Condition) {
    self.changes = changes
  }

  func clear() {
    centralCount = 0
    subscribed = []
  }

  func take(_ event: TrafficEvent) {
    switch event.kind {
    case .onAir(let device): (adapterAddress, ownAddress) = (device.adapter.address, device.ownAddress)
    case .connected: centralCount += 1
    case .disconnected: centralCount = max(0, centralCount - 1)
    case .subscribed(_, let id): subscribed.insert(id)
    case .unsubscribed(_, let id): subscribed.remove(id)
    default: return
    }
    changes.signal()
  }
}
