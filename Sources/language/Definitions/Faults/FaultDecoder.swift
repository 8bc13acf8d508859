import DeviceModel

/// Reads the deliberate faults of a device.
struct FaultDecoder {
  let device: PeripheralDefinition
  let log: DiagnosticLog

  func faults(_ nodes: [Scalar], _ places: inout DefinitionPlaces) -> [Fault] {
    nodes.compactMap { node in
      let fault = log.fault(node, of: device)
      if fault != nil { places.faults.append(node.range) }
      return fault
    }
  }
}

extension DiagnosticLog {
  /// Reads a fault of a device.
  func fault(_ scalar: Scalar, of device: PeripheralDefinition) -> Fault? {
    let reader = FaultReader(device)
    let fault = read(scalar) { text throws(TextError) in try reader.read(text) }
    if let question = fault.flatMap({ reader.question(about: $0, scalar.text) }) {
      warn(question, at: scalar.range)
    }
    return fault
  }
}
