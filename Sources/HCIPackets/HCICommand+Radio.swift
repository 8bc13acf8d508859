import Bluetooth

extension HCICommand {
  /// Move, a vendor command of the virtual radio (tools/radio): the RSSI or 127 for the usual one, lost packets in percent, and 1
  /// out of range. Reset moves the controller back.
  package static func move(to path: RadioPath) -> Self {
    let rssi = path.rssi.map { UInt8(truncatingIfNeeded: $0) } ?? 127
    return Self(.moveOnRadio, [rssi, UInt8(path.loss), path.isInRange ? 0 : 1])
  }
}
