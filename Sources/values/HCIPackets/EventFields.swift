import Bluetooth

/// Takes the fields of a packet one after the other; nil: there is no such field.
package struct EventFields {
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  package mutating func byte() -> UInt8? { rest.popFirst() }

  /// A number of two bytes, the less significant first.
  package mutating func number() -> UInt16? {
    guard rest.count >= 2, let low = byte(), let high = byte() else { return nil }
    return UInt16(low, high)
  }

  /// Whether there were this many bytes.
  package mutating func skip(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Twelve bits.
  package mutating func handle() -> LinkHandle? { number().map { $0 & 0x0FFF } }

  /// Takes so many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Six bytes, the least significant first.
  package mutating func address() -> DeviceAddress? {
    guard rest.count >= 6, let address = DeviceAddress(rest.prefix(6).reversed()) else { return nil }
    rest = rest.dropFirst(6)
    return address
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
