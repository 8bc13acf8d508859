import DeviceModel

/// Flips bits of a value: all of them if it has fewer.
struct CorruptBits: FaultEffect {
  let count: Int

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    guard !value.isEmpty else { return .untouched }
    var bytes = value
    for bit in random.distinct(count, below: value.count * 8) { bytes[bit / 8] ^= 1 << (bit % 8) }
    return .replaced(by: [bytes])
  }
}
