import DeviceModel

/// How long a message is for where it goes.
extension RuleDecoder {
  /// No values make it shorter.
  func minimumSize(of content: Rule.Content) -> Int {
    switch content {
    case .message(let message, _): decoder.definition.messages[message].minimumSize
    case .template(let template): template.minimumSize
    }
  }

  /// A message that is cut is put together again only by a central that knows how.
  func checkLength(of content: Rule.Content, to destination: Rule.Destination, _ node: YAMLNode) {
    let size = minimumSize(of: content)
    guard let limit = decoder.definition.link.maximumValue, size > limit else { return }
    for index in characteristics(destination) {
      let characteristic = decoder.definition.characteristics[index]
      guard characteristic.framing == nil, decoder.definition.wire.bridge?.outlet != index,
        isNews(content, at: index)
      else { continue }
      let kind = characteristic.properties.contains(.notify) ? "notifications" : "indications"
      log.warn(
        "\(size) bytes are sent in \((size + limit - 1) / limit) \(kind), as 'link' allows \(limit) at once",
        at: node.range,
        hint: "say how a central puts them together: framing: { \(characteristic.id): … }")
    }
  }

  /// Whether it has not been said before, of a message with a name.
  private func isNews(_ content: Rule.Content, at characteristic: Int) -> Bool {
    guard case .message(let message, _) = content else { return true }
    return decoder.cutMessages.insert([message, characteristic]).inserted
  }

  private func characteristics(_ destination: Rule.Destination) -> [Int] {
    let ports: [Rule.Port]
    switch destination {
    case .port(let port): ports = [port]
    case .origin: ports = triggers.compactMap(answering)
    }
    return ports.compactMap { if case .characteristic(let index) = $0 { index } else { nil } }
  }
}
