import DeviceModel

/// Passes values at the speed of a slow line, bytes a second.
struct Throttle: FaultEffect {
  let speed: Int

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    .paced(speed)
  }
}
