import Bluetooth
import Framing

// What a host asks of its controller at the start, and how a device on the virtual radio moves.
extension HCICommand {
  /// Set Event Mask (7.3.1): the events that the controller may send, bit 0 for the event with the code 1.
  package static func setEventMask(_ mask: UInt64) -> Self { Self(.setEventMask, mask.littleEndianBytes) }

  /// LE Set Event Mask (7.8.1): likewise for the subevents of LE Meta.
  package static func setLowEnergyEventMask(_ mask: UInt64) -> Self {
    Self(.setLowEnergyEventMask, mask.littleEndianBytes)
  }

  /// Write LE Host Support (7.3.79), which a controller with BR/EDR needs for LE.
  package static let supportLowEnergy = Self(.setLowEnergyHostSupport, [0x01, 0x00])

  /// LE Write Suggested Default Data Length (7.8.35): for packets of new links, bytes and microseconds.
  package static func suggestDataLength(_ bytes: UInt16, _ time: UInt16) -> Self {
    Self(.setSuggestedDataLength, bytes.littleEndianBytes + time.littleEndianBytes)
  }

  /// Move, a vendor command of the virtual radio (tools/radio): the RSSI or 127 for the usual one, lost packets in percent, and 1
  /// out of range. Reset moves the controller back.
  package static func move(to path: RadioPath) -> Self {
    let rssi = path.rssi.map { UInt8(truncatingIfNeeded: $0) } ?? 127
    return Self(.moveOnRadio, [rssi, UInt8(path.loss), path.isInRange ? 0 : 1])
  }
}
