import Bluetooth
import Framing

/// The fields of packets.
extension ByteReader {
  /// Twelve bits.
  package mutating func handle() -> LinkHandle? { number().map { $0 & 0x0FFF } }

  /// Six bytes, the least significant first.
  package mutating func address() -> DeviceAddress? {
    bytes(6).flatMap { DeviceAddress(littleEndianBytes: $0) }
  }

  /// The type of the address, and the address. The types 2 and 3 are the same kinds after the controller has resolved it.
  package mutating func linkAddress() -> LinkAddress? {
    guard let type = byte(), let address = address() else { return nil }
    return LinkAddress(address, type & 1 == 0 ? .public : .random)
  }

  /// Interval, latency, supervision timeout.
  package mutating func parameters() -> ConnectionParameters? {
    guard let interval = number(), let latency = number(), let timeout = number() else { return nil }
    return ConnectionParameters(interval: interval, latency: latency, supervisionTimeout: timeout)
  }

  /// To send, and to receive.
  mutating func phys() -> Directions<PHY>? {
    guard let sent = byte().flatMap(PHY.init), let received = byte().flatMap(PHY.init) else { return nil }
    return Directions(sent: sent, received: received)
  }
}
