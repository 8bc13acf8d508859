import Bluetooth
import DeviceModel

/// Finds the parts of an advertisement that BlueZ does not send as the definition asks.
struct AdvertisingCheck {
  let definition: PeripheralDefinition
  let version: @Sendable () -> BlueZVersion?

  init(_ definition: PeripheralDefinition, _ version: @escaping @Sendable () -> BlueZVersion?) {
    self.definition = definition
    self.version = version
  }

  /// With the initial settings, and then with other values of the settings that the advertisement depends on.
  var findings: [Finding] {
    guard let advertisement = advertisement(in: definition.initialContext) else { return doubledTypes }
    let layout = AdvertisingLayout(advertisement)
    var findings = doubledTypes + emptyStructures(of: advertisement.sentByBlueZ) + unsent(of: advertisement)
    if advertisement.layout != nil {
      findings.append(
        Finding(
          .note, "BlueZ lays out the packets itself", at: .advertisement(key: "packets"),
          hint: "--on exact sends them in this layout"))
    }
    findings += addressFindings
    findings += leftOut + ignored
    findings += layout.problems.map { finding(for: $0, layout) }
    guard !layout.problems.contains(where: { $0.isOverflow }) else { return findings }
    findings += layout.packets.omittedFields.map { field in
      Finding(
        .warning, "\(field.content.rawValue) is not sent: there is no room for its \(field.size) bytes",
        at: .advertisement(key: field.content.rawValue))
    }
    return findings + (layout.refusal == nil ? otherSettings : [])
  }

  /// The first case that BlueZ refuses is enough.
  private var otherSettings: [Finding] {
    for other in definition.advertisingCases {
      guard let advertisement = advertisement(in: other.context) else { return [] }
      let layout = AdvertisingLayout(advertisement)
      if let problem = layout.refusal { return [finding(for: problem, layout, other.circumstance)] }
    }
    return []
  }

  /// nil where an expression has no value, which is an error on every transport.
  private func advertisement(in context: EvaluationContext) -> Advertisement? {
    let table = (try? definition.attributes(in: context)) ?? AttributeTable(services: [])
    return try? definition.advertisement.resolved(in: context, with: table)
  }

  private func finding(
    for problem: AdvertisingProblem, _ layout: AdvertisingLayout, _ circumstance: String = ""
  ) -> Finding {
    let message = circumstance + problem.description
    switch problem {
    case .overflow(_, _, let largest, _):
      return Finding(
        .error, message, at: .advertisement(key: largest.content.rawValue),
        notes: PacketDrawing(layout.countedFields).lines)
    case .nameShortened:
      return Finding(.warning, message, at: .advertisement(key: AdvertisingField.Content.localName.rawValue))
    case .discoverableBroadcaster:
      return Finding(.error, message, at: .advertisement(key: "connectable"))
    case .refusedRawType(let type):
      let place = rawStructure(type).map(DefinitionPlace.rawType) ?? .advertisement(key: "raw")
      return Finding(.error, message, at: place, hint: type.key.map { "use '\($0)'" })
    }
  }
}

// MARK: Raw structures

extension AdvertisingCheck {
  private var rawTypes: [AdvertisingDataType] { definition.advertisement.raw.map { $0.content.type } }

  private func rawStructure(_ type: AdvertisingDataType) -> Int? { rawTypes.firstIndex(of: type) }

  private func emptyStructures(of advertisement: Advertisement) -> [Finding] {
    let raw = advertisement.rawStructures.filter { $0.value.isEmpty }
    let places = raw.compactMap { rawStructure($0.type) }.map(DefinitionPlace.rawBytes)
    return places.map { Finding(.error, "BlueZ refuses raw data without bytes", at: $0) }
      + empty(.manufacturerData, advertisement.manufacturerData) { $0.bytes.isEmpty }
      + empty(.serviceData, advertisement.serviceData) { $0.bytes.isEmpty }
  }

  private func empty<Data>(
    _ field: AdvertisingField.Content, _ data: [Data], isEmpty: (Data) -> Bool
  ) -> [Finding] {
    guard data.contains(where: isEmpty) else { return [] }
    let key = field.rawValue
    return [
      Finding(
        .error, "BlueZ refuses \(key) without bytes", at: .advertisement(key: key),
        hint: "--on exact sends it")
    ]
  }

  private func unsent(of advertisement: Advertisement) -> [Finding] {
    let sent = advertisement.sentByBlueZ.rawStructures
    let unsent = advertisement.rawStructures.filter { !sent.contains($0) }
    return unsent.compactMap { rawStructure($0.type) }.map { index in
      Finding(
        .note, "BlueZ does not send this structure: its scan response has only the name", at: .rawType(index),
        hint: "--on exact sends it")
    }
  }

  private var doubledTypes: [Finding] {
    var seen: Set<AdvertisingDataType> = []
    let raw = definition.advertisement.raw
    return rawTypes.enumerated().filter { index, type in
      !raw[index].isAlternative && !seen.insert(type).inserted
    }.map { index, type in
      Finding(
        .error, "a second structure of type 0x\(type.rawValue.hexadecimal(digits: 2))", at: .rawType(index),
        hint: "BlueZ sends only one structure of each type")
    }
  }
}

extension AdvertisingProblem {
  fileprivate var isOverflow: Bool {
    if case .overflow = self { true } else { false }
  }
}
