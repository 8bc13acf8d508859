/// The places where messages arrive and go by default.
extension PeripheralDefinition {
  /// Where a message may arrive: on each channel and each characteristic that can be written and is framed, or on all that can be
  /// written if none is framed.
  package var receivers: [Rule.Endpoint] {
    let writable = characteristics.indices.filter { characteristics[$0].canBeWritten }
    let all = writable.map { Rule.Endpoint.characteristic($0) } + channels.indices.map { .channel($0) }
    let framed = all.filter { framing(of: $0) != nil || coding(of: $0) != nil }
    return framed.isEmpty ? all : framed
  }

  /// Where a message goes after one of these events: to where the event came from, else to the only characteristic that
  /// notifies, or the only channel; nil: neither is possible.
  package func destination(afterAnyOf triggers: [Rule.Trigger]) -> Rule.Destination? {
    let comesOut = triggers.contains { if case .sent = $0 { true } else { false } }
    if !triggers.isEmpty, !comesOut, canAnswer(triggers) { return .origin }
    return senders.count == 1 ? .endpoint(senders[0]) : nil
  }

  /// Whether what has caused each of the events can get an answer at its place. What goes out of a layer has one where bytes have
  /// caused it.
  package func canAnswer(_ triggers: [Rule.Trigger]) -> Bool {
    triggers.allSatisfy { trigger in
      if case .sent = trigger { true } else { answeringEndpoint(to: trigger).map(canSend) ?? false }
    }
  }

  /// Where answers to an event go: to where it came from, unless the characteristic names another; nil: nowhere.
  package func answeringEndpoint(to trigger: Rule.Trigger) -> Rule.Endpoint? {
    switch trigger {
    case .received(_, let endpoint): answeringEndpoint(endpoint)
    case .opened(let index): .channel(index)
    case .found(let index): .sought(index)
    case .subscribed(let index), .configured(let index): answeringEndpoint(.characteristic(index))
    case .written(let attribute), .read(let attribute):
      answeringEndpoint(.characteristic(attribute.characteristic))
    default: nil
    }
  }

  /// The places that send bytes to centrals.
  package var senders: [Rule.Endpoint] {
    characteristics.indices.filter { characteristics[$0].canNotify }.map { .characteristic($0) }
      + channels.indices.map { .channel($0) }
  }

  private func canSend(_ endpoint: Rule.Endpoint) -> Bool {
    switch endpoint {
    case .wire, .channel, .sought, .layer: true
    case .characteristic(let index): characteristics[index].canNotify
    }
  }
}
