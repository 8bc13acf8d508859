import DeviceModel

/// Cuts a value into pieces at random places, or into single bytes if it has fewer. A single byte stays whole.
struct Split: FaultEffect {
  let count: Int

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    guard value.count > 1 else { return .untouched }
    let cuts = random.distinct(count - 1, below: value.count - 1).map { $0 + 1 }
    let ends = cuts + [value.count]
    return .replaced(by: zip([0] + cuts, ends).map { Array(value[$0..<$1]) })
  }
}
