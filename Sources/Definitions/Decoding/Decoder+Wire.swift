extension DefinitionDecoder {
  func decodeWire() {
    guard let node = root["wire"]?["bridge"], let index = characteristic(node) else { return }
    let characteristic = definition.characteristics[index]
    if !characteristic.canNotify {
      log.error(
        "'\(characteristic.id)' has neither notify nor indicate", at: node.range,
        hint: "add one to its properties")
    }
    if !characteristic.canBeWritten {
      log.error(
        "'\(characteristic.id)' cannot be written", at: node.range,
        hint: "add write or write-without-response")
    }
    definition.wire.bridge = index
  }
}
