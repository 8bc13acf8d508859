import Behavior
import Bluetooth
import EventLoop

/// The centrals whose requests bluetoothd has passed on, and the ATT_MTU of their links in bytes.
@EventLoop
final class KnownCentrals {
  private var centrals: [String: Central] = [:]
  private var mtus: [Central: Int] = [:]

  /// The central of a request; nil: bluetoothd did not identify it.
  func central(_ options: RequestOptions) -> Central? {
    guard let device = options.device else { return nil }
    guard let central = centrals[device] ?? addCentral(at: device) else { return nil }
    if let mtu = options.mtu, mtus[central] != mtu { mtus[central] = mtu }
    return central
  }

  private func addCentral(at path: String) -> Central? {
    let central = DeviceAddress(devicePath: path)
    centrals[path] = central
    return central
  }

  func mtu(of central: Central) -> Int? { mtus[central] }

  var smallestMTU: Int? { mtus.values.min() }

  /// Whether no other central has made a request.
  func isOnly(_ central: Central) -> Bool { mtus.count == 1 && mtus[central] != nil }

  /// Forgets a central that has disconnected.
  func forget(_ central: Central) { mtus[central] = nil }

  func forgetAll() {
    mtus = [:]
    centrals = [:]
  }
}
