import DeviceModel

/// Reads the deliberate faults of a device.
struct FaultDecoder {
  let device: PeripheralDefinition
  let log: DiagnosticLog

  func faults(_ nodes: [Scalar], _ places: inout DefinitionPlaces) -> [Fault] {
    let reader = FaultReader(device)
    return nodes.compactMap { node in
      let fault = log.read(node) { text throws(TextError) in try reader.read(text) }
      if fault != nil { places.faults.append(node.range) }
      return fault
    }
  }
}
