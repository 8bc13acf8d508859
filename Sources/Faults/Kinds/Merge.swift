import DeviceModel

/// Joins a value and later ones into one.
struct Merge: FaultEffect {
  let count: Int

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .gathered(count)
  }

  func combine(_ values: [[UInt8]]) -> [[UInt8]] { [Array(values.joined())] }
}
