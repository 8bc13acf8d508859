import DeviceModel

/// Passes a value twice.
struct Duplicate: FaultEffect {
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .replaced(by: [value, value])
  }
}
