extension DefinitionDecoder {
  func decodeWire() {
    definition.wire.baud = integer(root["wire"]?["baud"])
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
