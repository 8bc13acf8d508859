import DeviceModel

/// Passes a value after the next one.
struct Reorder: FaultEffect {
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .gathered(2)
  }

  func combine(_ values: [[UInt8]]) -> [[UInt8]] { values.reversed() }
}
