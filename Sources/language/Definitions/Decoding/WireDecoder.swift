import DeviceModel

/// Reads the bridge and the speed of the wire side.
struct WireDecoder {
  let finder: CharacteristicFinder
  let names: NameScope
  let log: DiagnosticLog

  /// - Parameter device: its initial settings determine the speed.
  func wire(_ node: Node<Language.Wire>?, _ device: PeripheralDefinition) -> WireDefinition {
    var wire = device.wire
    wire.baud = TextReader(names, log).expression(node?.baud, as: .integer)
    if let scalar = node?.baud, wire.baud != nil { check(wire, device, at: scalar) }
    wire.buffer = node?.buffer?.value
    wire.bridge = node?.bridge.flatMap(bridge)
    return wire
  }

  private func bridge(_ node: Node<Language.Bridge>) -> WireDefinition.Bridge? {
    guard let from = node.word ?? node.from, let to = node.word ?? node.to,
      let inlet = finder.place(from, isOfDevice: true, { finder.characteristic($0, orAt: $1) }),
      let outlet = finder.place(to, isOfDevice: true, { finder.characteristic($0, orAt: $1) })
    else { return nil }
    _ = finder.place(to, isOfDevice: true) { finder.notifying($0, orAt: $1) }
    _ = finder.place(from, isOfDevice: true) { finder.writable($0, orAt: $1) }
    return WireDefinition.Bridge(inlet: inlet, outlet: outlet)
  }

  /// Whether it is a speed, first with the initial settings and then with other values of the settings that it uses.
  private func check(_ wire: WireDefinition, _ device: PeripheralDefinition, at scalar: Scalar) {
    let first = ValueCase(context: device.initialContext)
    for circumstance in [first] + device.cases(of: [wire.baud].compactMap(\.self)) {
      do { _ = try wire.baud(in: circumstance.context) } catch {
        return log.error(.badValue(error, circumstance: circumstance.circumstance), at: scalar.range)
      }
    }
  }
}
