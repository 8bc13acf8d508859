import Behavior
import Bluetooth
import EventLoop
import Peripheral
import Transcripts

/// Tracks the centrals and subscriptions that the device knows. bluetoothd answers a central before it tells the device.
@EventLoop
final class DeviceObserver: TrafficSink {
  private(set) var adapterAddress: DeviceAddress?
  /// The device's, if it is not the adapter's.
  private(set) var ownAddress: DeviceAddress?
  private(set) var centralCount = 0
  /// The ids of characteristics.
  private(set) var subscribed: Set<String> = []
  /// The ids of channels.
  private(set) var openChannels: Set<String> = []
  /// The device's reports on the current pairing.
  private(set) var pairing = Pairing()
  /// Changes with the passkey of ``pairing``.
  let passkeys = Condition()
  private let changes: Condition

  struct Pairing {
    var passkey: UInt32?
    var isPaired = false
    var isBonded = false
    var failure: PairingFailure?
  }

  init(_ changes: Condition) {
    self.changes = changes
  }

  func clear() {
    centralCount = 0
    subscribed = []
    openChannels = []
    pairing = Pairing()
  }

  func beginPairing() { pairing = Pairing() }

  func take(_ event: TrafficEvent) {
    switch event.kind {
    case .onAir(let device):
      (adapterAddress, ownAddress) = (device.adapter.address, device.ownAddress?.address)
    case .address(let address, nil): ownAddress = address.address
    case .connected: centralCount += 1
    case .disconnected: centralCount = max(0, centralCount - 1)
    case .subscribed(_, let id): subscribed.insert(id)
    case .unsubscribed(_, let id): subscribed.remove(id)
    case .opened(_, let id): openChannels.insert(id)
    case .closed(_, let id, _): openChannels.remove(id)
    case .paired: pairing.isPaired = true
    case .bonded: pairing.isBonded = true
    case .pairingFailed(_, let failure): pairing.failure = failure
    case .passkeyShown(_, let passkey):
      pairing.passkey = passkey
      passkeys.signal()
    default: return
    }
    changes.signal()
  }
}
