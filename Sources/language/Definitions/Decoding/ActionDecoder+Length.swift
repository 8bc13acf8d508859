import DeviceModel

/// The length of a message at its destination.
extension ActionDecoder {
  /// The least length with any values.
  func minimumSize(of content: Rule.Content) -> Int {
    switch content {
    case .message(let message, _): parts.device.messages[message].minimumSize
    case .template(let template): template.minimumSize
    }
  }

  /// Only a central that knows the message can reassemble it after it is cut.
  mutating func checkLength(
    of content: Rule.Content, to destination: Rule.Destination, at range: SourceRange
  ) {
    let size = minimumSize(of: content)
    guard let limit = parts.device.link.maximumValue, size > limit else { return }
    for index in characteristics(destination) {
      let characteristic = parts.device.characteristics[index]
      guard characteristic.framing == nil, characteristic.longValues == nil,
        parts.device.wire.bridge?.outlet != .characteristic(index),
        isNews(content, at: index)
      else { continue }
      log.warn(
        .cutMessage(
          size: size, limit: limit, characteristic: characteristic.id,
          isNotified: characteristic.properties.contains(.notify)),
        at: range)
    }
  }

  /// Whether this named message has not been reported before.
  private mutating func isNews(_ content: Rule.Content, at characteristic: Int) -> Bool {
    guard case .message(let message, _) = content else { return true }
    let cut = CutMessage(message: message, characteristic: characteristic)
    guard !cutMessages.contains(cut) else { return false }
    cutMessages.append(cut)
    return true
  }

  private func characteristics(_ destination: Rule.Destination) -> [Int] {
    let endpoints: [Rule.Endpoint]
    switch destination {
    case .endpoint(let endpoint): endpoints = [endpoint]
    case .origin: endpoints = triggers.compactMap(parts.device.answeringEndpoint(to:))
    }
    return endpoints.compactMap { if case .characteristic(let index) = $0 { index } else { nil } }
  }
}
