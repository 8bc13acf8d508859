import Bluetooth
import Definitions
import DeviceModel

/// Whether BlueZ advertises what a definition says, and all of it.
struct AdvertisingCheck {
  let definition: PeripheralDefinition
  /// The section of the file.
  let node: YAMLNode
  let log: DiagnosticLog

  /// With the settings as they are at first, and then with others that decide over it.
  func run() {
    checkRawTypes()
    guard let advertisement = advertisement(in: definition.initialContext) else { return }
    for structure in advertisement.rawStructures where structure.value.isEmpty {
      let place = rawEntry(structure.type)?.value ?? node
      log.error("BlueZ refuses raw data without bytes", at: place.startRange)
    }
    let layout = AdvertisingLayout(advertisement)
    for problem in layout.problems { report(problem, layout) }
    guard !layout.problems.contains(where: \.isOverflow) else { return }
    for field in layout.omittedFields {
      log.warn(
        "\(field.content.rawValue) is not sent: there is no room for its \(field.size) bytes",
        at: (node[field.content.rawValue] ?? node).startRange)
    }
    if layout.isAccepted { checkCases() }
  }

  /// The first case that comes to nothing is enough.
  private func checkCases() {
    for other in definition.advertisingCases {
      guard let advertisement = advertisement(in: other.context) else { return }
      let layout = AdvertisingLayout(advertisement)
      if let problem = layout.problems.first(where: \.isFatal) {
        return report(problem, layout, other.circumstance)
      }
    }
  }

  /// nil where something has no value, which has been reported.
  private func advertisement(in context: EvaluationContext) -> Advertisement? {
    let table = (try? definition.attributes(in: context)) ?? AttributeTable(services: [])
    return try? definition.advertisement.resolved(in: context, with: table)
  }

  private func report(_ problem: AdvertisingProblem, _ layout: AdvertisingLayout, _ circumstance: String = "")
  {
    let text = circumstance + problem.description
    switch problem {
    case .overflow(_, _, let largest):
      let notes = PacketDrawing(layout.countedFields).lines
      log.error(text, at: (node[largest.content.rawValue] ?? node).startRange, notes: notes)
    case .nameShortened: log.warn(text, at: (node["local-name"] ?? node).startRange)
    case .discoverableBroadcaster: log.error(text, at: (node["connectable"] ?? node).startRange)
    case .refusedRawType(let type):
      let place = rawEntry(type)?.key ?? node
      log.error(text, at: place.startRange, hint: type.key.map { "use '\($0)'" })
    }
  }
}

extension AdvertisingCheck {
  private var rawEntries: [YAMLNode.Entry] { node["raw"]?.entries ?? [] }

  private func rawEntry(_ type: AdvertisingDataType) -> YAMLNode.Entry? {
    rawEntries.first { $0.rawType == type }
  }

  private func checkRawTypes() {
    var seen: Set<AdvertisingDataType> = []
    for entry in rawEntries {
      guard let type = entry.rawType, !seen.insert(type).inserted else { continue }
      log.error(
        "a second structure of type \(entry.key.text ?? "")", at: entry.key.range,
        hint: "BlueZ sends one of each type")
    }
  }
}

extension YAMLNode.Entry {
  fileprivate var rawType: AdvertisingDataType? { key.text.flatMap { AdvertisingDataType($0) } }
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
