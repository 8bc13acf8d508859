import DeviceModel

/// Loses a value. A central that has written it with a request gets a response as if nothing had happened.
struct Drop: FaultEffect {
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .replaced(by: [])
  }
}
