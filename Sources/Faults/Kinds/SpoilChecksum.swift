import DeviceModel

/// Spoils only the checksum of a message. A value without a checksum stays unchanged.
struct SpoilChecksum: FaultEffect {
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    let places = device.messages.lazy.map { $0.checksums(in: value) }.first { !$0.isEmpty } ?? []
    guard let place = places.last else { return .untouched }
    var bytes = value
    bytes[place.lowerBound + random.below(place.count)] ^= UInt8(1 + random.below(255))
    return .replaced(by: [bytes])
  }
}
