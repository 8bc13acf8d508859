import Bluetooth

extension Conversation {
  /// The conversation, in which all values that the device notified with the handle of a descriptor have the handle of the
  /// characteristic's value.
  func sending(from table: ObservedTable) -> Conversation {
    var senders: [AttributeHandle: AttributeHandle] = [:]
    for characteristic in table.characteristics {
      guard let sender = characteristic.sendingDescriptor?.handle else { continue }
      senders[sender] = characteristic.valueHandle
    }
    guard !senders.isEmpty else { return self }
    var conversation = self
    for index in exchanges.indices {
      guard case .value = exchanges[index].kind, let value = senders[exchanges[index].handle] else {
        continue
      }
      conversation.exchanges[index].handle = value
    }
    return conversation
  }
}
