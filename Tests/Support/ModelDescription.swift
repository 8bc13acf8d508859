import DeviceModel

extension PeripheralDefinition {
  /// All that the model has, part by part, each on a line with its place in the model: two models are equal if these are.
  ///
  /// What the text of a definition alone decides is left out: the lines, the files and the wording of rules, and the list
  /// of shared actions, which the rules have in full.
  package var modelDescription: [String] {
    var device = self
    device.sharedActions = []
    for index in device.rules.indices {
      (device.rules[index].line, device.rules[index].file) = (0, nil)
      device.rules[index].source = Rule.Source()
    }
    for index in device.services.indices { device.services[index].presence?.source = "" }
    for index in device.characteristics.indices { device.characteristics[index].presence?.source = "" }
    var description = ModelDescription()
    description.add(device, at: "device")
    return description.lines
  }

  /// Without the layouts of packets: that of a file also has places for the fields that are not advertised.
  package var describedWithoutLayouts: [String] { modelDescription.filter { !$0.contains(".layout") } }
}

/// The stored properties of a value, of those in it, and so on.
private struct ModelDescription {
  var lines: [String] = []

  mutating func add(_ value: Any, at place: String) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let child = mirror.children.first { add(child.value, at: place) } else { addLeaf("nil", place) }
    case .set, .dictionary: addUnordered(mirror.children, at: place)
    case .collection where isFlat(value): addLeaf("\(value)", place)
    case .collection:
      addLeaf("\(mirror.children.count)", place)
      for (index, child) in mirror.children.enumerated() { add(child.value, at: "\(place)[\(index)]") }
    case .enum where mirror.children.isEmpty: addLeaf("\(value)", place)
    case .enum:
      let child = mirror.children.first!
      add(child.value, at: "\(place).\(child.label ?? "")")
    default:
      if mirror.children.isEmpty { addLeaf(String(reflecting: value), place) }
      for child in mirror.children { add(child.value, at: "\(place).\(child.label ?? "")") }
    }
  }

  private mutating func addLeaf(_ text: String, _ place: String) { lines.append("\(place) = \(text)") }

  private mutating func addUnordered(_ children: Mirror.Children, at place: String) {
    var texts: [String] = []
    for child in children {
      var inner = ModelDescription()
      inner.add(child.value, at: "")
      texts.append(inner.lines.joined(separator: "; "))
    }
    for text in texts.sorted() { addLeaf(text, place) }
  }

  private func isFlat(_ value: Any) -> Bool {
    value is [UInt8] || value is [UInt32] || value is [Int] || value is [String]
  }
}
