import DeviceModel

/// Lets a value and those after it wait.
struct Stall: FaultEffect {
  let time: Duration?

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .blocked(time)
  }
}
