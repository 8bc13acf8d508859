import DeviceModel

/// Loses a value. A central that wrote it with a request gets the usual response.
struct Drop: FaultEffect {
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .replaced(by: [])
  }
}
