extension DefinitionDecoder {
  func decodeMessages() {
    for entry in root["messages"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      if name == "any" {
        log.error("'any' stands for any frame", at: entry.key.range, hint: "choose another name")
      }
      let template = read(entry.value) { text throws(TextError) in
        try MessageTemplate(name: name, template: text)
      }
      if let template { definition.messages.append(template) }
    }
  }
}
