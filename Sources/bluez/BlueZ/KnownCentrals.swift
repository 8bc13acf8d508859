import Behavior
import Bluetooth
import EventLoop

/// The connected centrals whose requests bluetoothd has passed on, and the ATT_MTU of their links in bytes. They are few: arrays are
/// quicker than tables.
@EventLoop
final class KnownCentrals {
  private var paths: [(path: [UInt8], central: Central)] = []
  private var mtus: [(central: Central, mtu: Int)] = [] {
    didSet { smallestMTU = mtus.lazy.map(\.mtu).min() }
  }
  private(set) var smallestMTU: Int?

  /// The central at the path of bluetoothd's object; nil: it is not that of a device.
  func central(at path: Span<UInt8>) -> Central? {
    for known in paths where path.holds(known.path) { return known.central }
    guard let central = DeviceAddress(devicePath: String(path)) else { return nil }
    paths.append((path.withUnsafeBufferPointer(Array.init), central))
    return central
  }

  /// The central of a request; nil: bluetoothd did not identify it.
  func central(_ options: RequestOptions) -> Central? {
    if let central = options.central, let mtu = options.mtu { set(mtu, of: central) }
    return options.central
  }

  private func set(_ mtu: Int, of central: Central) {
    guard let index = mtus.firstIndex(where: { $0.central == central }) else {
      return mtus.append((central, mtu))
    }
    if mtus[index].mtu != mtu { mtus[index].mtu = mtu }
  }

  func mtu(of central: Central) -> Int? { mtus.first { $0.central == central }?.mtu }

  /// Whether no other central has made a request.
  func isOnly(_ central: Central) -> Bool { mtus.count == 1 && mtus[0].central == central }

  /// Forgets a central that has disconnected.
  func forget(_ central: Central) {
    paths.removeAll { $0.central == central }
    mtus.removeAll { $0.central == central }
  }

  func forgetAll() {
    mtus = []
    paths = []
  }
}
