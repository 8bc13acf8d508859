/// How long a message is for where it goes.
extension RuleDecoder {
  /// A message that is cut is put together again only by a central that knows how.
  func checkLength(of message: Int, to destination: Rule.Destination, _ node: YAMLNode) {
    guard let limit = decoder.definition.link.maximumValue else { return }
    let template = decoder.definition.messages[message]
    for index in characteristics(destination) where template.minimumSize > limit {
      let characteristic = decoder.definition.characteristics[index]
      guard characteristic.framing == nil, decoder.definition.wire.bridge?.outlet != index,
        decoder.cutMessages.insert([message, index]).inserted
      else { continue }
      let size = template.minimumSize
      let kind = characteristic.properties.contains(.notify) ? "notifications" : "indications"
      log.warn(
        "\(size) bytes are sent in \((size + limit - 1) / limit) \(kind), as 'link' allows \(limit) at once",
        at: node.range,
        hint: "say how a central puts them together: framing: { \(characteristic.id): … }")
    }
  }

  private func characteristics(_ destination: Rule.Destination) -> [Int] {
    let ports: [Rule.Port]
    switch destination {
    case .port(let port): ports = [port]
    case .origin: ports = triggers.compactMap(origin)
    }
    return ports.compactMap { if case .characteristic(let index) = $0 { index } else { nil } }
  }
}
