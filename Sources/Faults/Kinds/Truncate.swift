import DeviceModel

/// Ends a value early. A shorter one stays unchanged.
struct Truncate: FaultEffect {
  let size: Int

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    value.count > size ? .replaced(by: [Array(value.prefix(size))]) : .untouched
  }
}
