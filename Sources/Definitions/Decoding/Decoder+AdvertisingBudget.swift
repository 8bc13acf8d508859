import Bluetooth
import DeviceModel

extension DefinitionDecoder {
  /// Whether what is advertised fits, with the settings as they are at first, and with others that decide over it.
  func checkBudget(at node: YAMLNode) {
    guard let advertisement = advertisement(in: definition.initialContext, at: node) else { return }
    let layout = AdvertisingLayout(advertisement)
    for problem in layout.problems { report(problem, layout, at: node) }
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
    if layout.isAccepted { checkCases(at: node) }
  }

  /// The first case that comes to nothing is enough.
  private func checkCases(at node: YAMLNode) {
    for other in definition.advertisingCases {
      let circumstance = "with \(other.values): "
      guard let advertisement = advertisement(in: other.context, circumstance, at: node) else { return }
      let layout = AdvertisingLayout(advertisement)
      if let problem = layout.problems.first(where: \.isFatal) {
        return report(problem, layout, circumstance, at: node)
      }
    }
  }

  private func advertisement(
    in context: EvaluationContext, _ circumstance: String = "", at node: YAMLNode
  ) -> Advertisement? {
    let table = (try? definition.attributes(in: context)) ?? AttributeTable(services: [])
    do { return try definition.advertisement.resolved(in: context, with: table) } catch {
      let place = (error as? AdvertisementValueError).flatMap { node[$0.key] } ?? node
      let text = error is AdvertisementValueError ? "\(error)" : "the advertisement has no bytes: \(error)"
      log.error(circumstance + text, at: place.startRange)
      return nil
    }
  }

  private func report(
    _ problem: AdvertisingProblem, _ layout: AdvertisingLayout, _ circumstance: String = "", at node: YAMLNode
  ) {
    let text = circumstance + problem.description
    switch problem {
    case .overflow(_, _, let largest):
      let notes = PacketDrawing(layout.countedFields).lines
      log.error(text, at: (node[largest.content.rawValue] ?? node).startRange, notes: notes)
    case .nameShortened: log.warn(text, at: (node["local-name"] ?? node).startRange)
    case .discoverableBroadcaster: log.error(text, at: (node["connectable"] ?? node).startRange)
    case .refusedRawType(let type):
      let hint = type.key.map { "use '\($0)'" }
      log.error(text, at: (rawEntry(type, node)?.key ?? node).startRange, hint: hint)
    }
  }

  private func rawEntry(_ type: AdvertisingDataType, _ node: YAMLNode) -> YAMLNode.Entry? {
    node["raw"]?.entries.first { $0.key.text.flatMap { AdvertisingDataType($0) } == type }
  }
}

extension AdvertisementValueError {
  fileprivate var key: String {
    switch self {
    case .txPower: "tx-power"
    case .interval: "interval"
    }
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
