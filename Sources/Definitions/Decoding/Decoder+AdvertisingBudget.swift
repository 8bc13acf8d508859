import Bluetooth

extension DefinitionDecoder {
  /// Whether what is advertised fits, with the settings as they are at first.
  func checkBudget(at node: YAMLNode) {
    let advertisement: Advertisement
    do { advertisement = try definition.advertisement.resolved(in: definition.initialContext) } catch {
      return log.error("the advertisement has no bytes: \(error)", at: node.startRange)
    }
    let layout = AdvertisingLayout(advertisement)
    for problem in layout.problems { report(problem, layout, node) }
    for structure in advertisement.rawStructures where structure.value.isEmpty {
      let entry = rawEntry(structure.type, node)
      log.error("BlueZ refuses raw data without bytes", at: (entry?.value ?? node).startRange)
    }
    guard !layout.problems.contains(where: \.isOverflow) else { return }
    for field in layout.omittedFields {
      log.warn(
        "\(field.content.rawValue) is not sent: there is no room for its \(field.size) bytes",
        at: (node[field.content.rawValue] ?? node).startRange)
    }
  }

  private func report(_ problem: AdvertisingProblem, _ layout: AdvertisingLayout, _ node: YAMLNode) {
    switch problem {
    case .overflow(_, _, let largest):
      let notes = PacketDrawing(layout.countedFields).lines
      log.error("\(problem)", at: (node[largest.content.rawValue] ?? node).startRange, notes: notes)
    case .nameShortened: log.warn("\(problem)", at: (node["local-name"] ?? node).startRange)
    case .discoverableBroadcaster: log.error("\(problem)", at: (node["connectable"] ?? node).startRange)
    case .refusedRawType(let type):
      let hint = type.key.map { "use '\($0)'" }
      log.error("\(problem)", at: (rawEntry(type, node)?.key ?? node).startRange, hint: hint)
    }
  }

  private func rawEntry(_ type: AdvertisingDataType, _ node: YAMLNode) -> YAMLNode.Entry? {
    node["raw"]?.entries.first { $0.key.text.flatMap { AdvertisingDataType($0) } == type }
  }
}

extension AdvertisingDataType {
  /// The key that says the same.
  fileprivate var key: String? { self == .flags ? "discoverable" : content?.rawValue }
}

extension AdvertisingProblem {
  fileprivate var isOverflow: Bool {
    if case .overflow = self { true } else { false }
  }
}
