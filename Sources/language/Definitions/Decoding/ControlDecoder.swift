import DeviceModel

/// Reads the controls.
struct ControlDecoder {
  private let parts: RuleParts
  private let names: NameScope

  /// - Parameter device: its settings and variables.
  init(_ device: PeripheralDefinition, _ names: NameScope, _ log: DiagnosticLog) {
    parts = RuleParts(device, messages: [], log: log)
    self.names = names
  }

  func controls(_ entries: [Entry<Node<Language.Control>>]) -> [ControlDefinition] {
    entries.map { entry in
      let name = entry.key.text
      return ControlDefinition(
        name: name, label: entry.value.label?.text ?? name, kind: kind(of: entry.value))
    }
  }

  /// Also reads a button whose 'set' is wrong, which has been reported.
  private func kind(of control: Node<Language.Control>) -> ControlDefinition.Kind {
    guard let name = control.slot, let slot = parts.outsideSlot(name, names) else { return .button }
    return .bound(slot)
  }
}

extension RuleEntry {
  /// The rules that controls imply: `do` becomes a rule that waits for its control.
  static func all(of controls: [Entry<Node<Language.Control>>]) -> [RuleEntry] {
    controls.compactMap { entry in
      entry.value.entries.first { $0.key.text == Language.Control.outline.keys.actions.name }
        .map {
          RuleEntry(rule: Node(.rule(onControl: entry.key, actions: $0)), groups: [], isOfControl: true)
        }
    }
  }
}

extension YAMLNode {
  /// `{ on: { control: NAME }, do: ACTIONS }`
  fileprivate static func rule(onControl name: Scalar, actions: Entry) -> YAMLNode {
    let keys = (Language.Rule.outline.keys, Language.Event.outline.keys)
    let range = actions.key.range
    func word(_ text: String) -> YAMLNode { YAMLNode(content: .scalar(text), range: range) }
    let event = YAMLNode(
      content: .mapping([Entry(key: word(keys.1.control.name), value: word(name.text))]), range: range)
    return YAMLNode(
      content: .mapping([Entry(key: word(keys.0.event.name), value: event), actions]), range: range)
  }
}
