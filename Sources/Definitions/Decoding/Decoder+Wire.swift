import DeviceModel

extension DefinitionDecoder {
  func decodeWire() {
    decodeBaud(root["wire"]?["baud"])
    guard let node = root["wire"]?["bridge"] else { return }
    let inlet = node.text == nil ? node["from"] : node
    let outlet = node.text == nil ? node["to"] : node
    guard let into = characteristic(inlet), let out = characteristic(outlet) else { return }
    if !definition.characteristics[out].canNotify {
      log.error(
        "'\(definition.characteristics[out].id)' has neither notify nor indicate", at: outlet!.range,
        hint: "add one to its properties")
    }
    if !definition.characteristics[into].canBeWritten {
      log.error(
        "'\(definition.characteristics[into].id)' cannot be written", at: inlet!.range,
        hint: "add write or write-without-response")
    }
    definition.wire.bridge = WireDefinition.Bridge(inlet: into, outlet: out)
  }

  private func decodeBaud(_ node: YAMLNode?) {
    let baud = read(node) { text throws(TextError) in try expression(text, as: .integer, in: scope) }
    guard let node, let baud else { return }
    definition.wire.baud = baud
    checkBaud(at: node)
  }

  /// Whether it is a speed, with the settings as they are at first and then with others that it depends on.
  private func checkBaud(at node: YAMLNode) {
    let first = ValueCase(context: definition.initialContext)
    for circumstance in [first] + definition.cases(of: [definition.wire.baud].compactMap(\.self)) {
      do { _ = try definition.wire.baud(in: circumstance.context) } catch {
        return log.error("\(circumstance.circumstance)\(error)", at: node.range)
      }
    }
  }

  /// A serial side that nothing passes; to be called when the rules are known.
  func checkWire() {
    guard let node = root["wire"], !log.hasErrors, !definition.hasWireSide else { return }
    log.error(
      "nothing passes the serial side", at: node.range,
      hint: "add a bridge, or rules that receive from 'wire' or send to it")
  }

  /// Where rules answer what arrives at a characteristic, if it says so.
  func decodeAnswers() {
    let nodes = (root["services"]?.elements ?? []).flatMap { $0["characteristics"]?.elements ?? [] }
    for (index, node) in nodes.enumerated() where definition.characteristics.indices.contains(index) {
      if let place = node["answers"] { definition.characteristics[index].answers = notifying(place) }
    }
  }
}
