import DeviceModel

extension DefinitionDecoder {
  func decodeMessages() {
    for entry in root["messages"]?.entries ?? [] {
      if entry.key.text == "any" {
        log.error("'any' stands for any frame", at: entry.key.range, hint: "choose another name")
      }
      guard let name = entry.key.text, let (node, form) = template(of: entry.value) else { continue }
      let template = read(node) { text throws(TextError) in
        try MessageTemplate(name: name, template: text, form: form)
      }
      if let template { definition.messages.append(template) }
    }
  }

  /// The index of a message that a rule waits for and that has no name.
  func anonymousMessage(_ node: YAMLNode) -> Int? {
    guard let (text, form) = template(of: node) else { return nil }
    let template = read(text) { text throws(TextError) in
      try MessageTemplate(name: "", template: text, form: form)
    }
    guard let template else { return nil }
    definition.messages.append(template)
    return definition.messages.count - 1
  }

  /// The text of a message, and what stands between its holes: `"A5 …"`, `{ bytes: "A5 …" }` or `{ text: "AT" }`.
  func template(of node: YAMLNode) -> (YAMLNode, MessageTemplate.Form)? {
    if node.text != nil { return (node, .bytes) }
    if let bytes = node["bytes"] { return (bytes, .bytes) }
    return node["text"].map { ($0, .text(ignoringCase: flag(node["ignore-case"], default: false))) }
  }
}
