import DeviceModel

/// Replaces bytes of a value by others: all of them if it has fewer.
struct CorruptBytes: FaultEffect {
  let count: Int

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    guard !value.isEmpty else { return .untouched }
    var bytes = value
    for index in random.distinct(count, below: value.count) { bytes[index] ^= UInt8(1 + random.below(255)) }
    return .replaced(by: [bytes])
  }
}
