import DeviceModel

/// The messages that the rules of a device wait for, by the characteristic that gets them.
struct AwaitedMessages {
  private var messages: [String: [MessageTemplate]] = [:]

  init(of definition: PeripheralDefinition) {
    for trigger in definition.rules.flatMap(\.triggers) {
      guard case .received(let message?, .characteristic(let index)) = trigger,
        definition.coding(of: .characteristic(index)) == nil
      else { continue }
      messages[definition.characteristics[index].id, default: []].append(definition.messages[message])
    }
  }

  /// The name of the message that a value is; nil: it is none, or only a part of one.
  func name(of value: [UInt8], writtenTo characteristic: String) -> String? {
    messages[characteristic]?.first { $0.parse(value) != nil }?.name
  }
}
