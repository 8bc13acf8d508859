extension DefinitionDecoder {
  func decodeMessages() {
    for entry in root["messages"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      let template = read(entry.value) { text throws(TextError) in
        try MessageTemplate(name: name, template: text)
      }
      if let template { definition.messages.append(template) }
    }
  }
}
