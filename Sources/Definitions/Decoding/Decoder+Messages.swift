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
    switch (node["bytes"], node["text"]) {
    case (let bytes?, nil):
      if let flag = node["ignore-case"] {
        log.error("'ignore-case' goes with 'text'", at: flag.range)
      }
      return (bytes, .bytes)
    case (nil, let text?): return (text, .text(ignoringCase: flag(node["ignore-case"], default: false)))
    case (_?, _?): checkExclusion("bytes", "text", in: node)
    case (nil, nil):
      if case .mapping(let entries) = node.content, entries.allSatisfy({ $0.key.text == "ignore-case" }) {
        log.error("a message needs 'bytes' or 'text'", at: node.startRange)
      }
    }
    return nil
  }
}
