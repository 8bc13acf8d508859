/// The places where messages arrive and go by default.
extension PeripheralDefinition {
  /// Where a message may arrive: on each characteristic that can be written and is framed, or on all that can be written if
  /// none is framed.
  package var receivers: [Rule.Endpoint] {
    let writable = characteristics.indices.filter { characteristics[$0].canBeWritten }
    let framed = writable.filter { characteristics[$0].framing != nil || characteristics[$0].coding != nil }
    return (framed.isEmpty ? writable : framed).map { .characteristic($0) }
  }

  /// Where a message goes after one of these events: to where the event came from, else to the only characteristic that
  /// notifies; nil: neither is possible.
  package func destination(afterAnyOf triggers: [Rule.Trigger]) -> Rule.Destination? {
    let canAnswer = triggers.allSatisfy { answeringEndpoint(to: $0).map(canSend) ?? false }
    if !triggers.isEmpty, canAnswer { return .origin }
    let able = characteristics.indices.filter { characteristics[$0].canNotify }
    return able.count == 1 ? .endpoint(.characteristic(able[0])) : nil
  }

  /// Where answers to an event go: to where it came from, unless the characteristic names another; nil: nowhere.
  package func answeringEndpoint(to trigger: Rule.Trigger) -> Rule.Endpoint? {
    switch trigger {
    case .received(_, let endpoint): answeringEndpoint(endpoint)
    case .subscribed(let index), .configured(let index): answeringEndpoint(.characteristic(index))
    case .written(let attribute), .read(let attribute):
      answeringEndpoint(.characteristic(attribute.characteristic))
    default: nil
    }
  }

  private func canSend(_ endpoint: Rule.Endpoint) -> Bool {
    switch endpoint {
    case .wire: true
    case .characteristic(let index): characteristics[index].canNotify
    }
  }
}
