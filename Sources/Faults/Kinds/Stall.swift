import DeviceModel

/// Delays a value and all later ones.
struct Stall: FaultEffect {
  let time: Duration?

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .blocked(time)
  }
}
