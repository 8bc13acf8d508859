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
    let layout = AdvertisingLayout(advertisement, on: version)
    var findings = doubledTypes + emptyStructures(of: layout.sent) + unsent(of: advertisement, layout.sent)
    findings += movedFields(of: advertisement, layout)
    findings += addressFindings
    findings += leftOut(layout) + ignored
    findings += layout.problems.map { finding(for: $0) }
    guard !layout.problems.contains(where: { $0.isOverflow }) else { return findings }
    findings += layout.packets.omittedFields.map { field in
      let (name, isFlags) = (field.content.rawValue, field.content == .flags)
      let room = "there is no room for \(isFlags ? "their" : "its") \(field.size) bytes"
      return Finding(
        .warning, "\(name) \(isFlags ? "are" : "is") not sent: \(room)", at: .advertisement(key: name),
        hint: isFlags ? "'packets' says what is sent, with flags or without" : nil)
    }
    return findings + (layout.refusal == nil ? otherSettings : [])
  }

  /// The first case that BlueZ refuses is enough.
  private var otherSettings: [Finding] {
    for other in definition.advertisingCases {
      guard let advertisement = advertisement(in: other.context) else { return [] }
      let layout = AdvertisingLayout(advertisement, on: version)
      if let problem = layout.refusal { return [finding(for: problem, other.circumstance)] }
    }
    return []
  }

  /// nil where an expression has no value, which is an error on every transport.
  private func advertisement(in context: EvaluationContext) -> Advertisement? {
    let table = (try? definition.attributes(in: context)) ?? AttributeTable(services: [])
    return try? definition.advertisement.resolved(in: context, with: table)
  }

  private func finding(for problem: AdvertisingProblem, _ circumstance: String = "") -> Finding {
    let message = circumstance + problem.description
    switch problem {
    case .overflow(_, let fields, _):
      let key = fields.largest?.content ?? .localName
      return Finding(
        .error, message, at: .advertisement(key: key.rawValue), notes: PacketDrawing(fields).lines)
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

  private func emptyStructures(of sent: SentAdvertisement) -> [Finding] {
    [sent.main, sent.response].flatMap { packet in
      packet.rawStructures.filter(\.value.isEmpty).compactMap { rawStructure($0.type) }.map {
        Finding(.error, "BlueZ refuses raw data without bytes", at: .rawBytes($0))
      } + empty(.manufacturerData, packet.manufacturerData) { $0.bytes.isEmpty }
        + empty(.serviceData, packet.serviceData) { $0.bytes.isEmpty }
    }
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

  /// Raw structures that BlueZ cannot put into the scan response.
  private func unsent(of advertisement: Advertisement, _ sent: SentAdvertisement) -> [Finding] {
    guard sent.decision != .definition else { return [] }
    let unsent = advertisement.rawStructures.filter { !sent.main.rawStructures.contains($0) }
    let (reason, hint) =
      sent.decision == .bluez
      ? ("its scan response has only the name", "\(BlueZVersion.sendsScanResponses) and --on exact send it")
      : ("beside the name, its scan response has no room", "--on exact sends it")
    return unsent.compactMap { rawStructure($0.type) }.map { index in
      Finding(
        .note, "BlueZ does not send this structure: \(reason)", at: .rawType(index), hint: hint)
    }
  }

  /// Where the packets differ from the definition's own.
  private func movedFields(of advertisement: Advertisement, _ layout: AdvertisingLayout) -> [Finding] {
    guard let own = advertisement.layout else { return [] }
    let place = DefinitionPlace.advertisement(key: "packets")
    guard layout.sent.decision == .definition else {
      return [
        Finding(
          .note, "BlueZ lays out the packets itself", at: place,
          hint: layout.sent.decision == .bluez && own.scanResponse.contains(where: \.isMovable)
            ? "\(BlueZVersion.sendsScanResponses) and --on exact send the fields in these packets"
            : "--on exact sends them in this layout")
      ]
    }
    let contents = Set(layout.packets.scanResponseFields.map(\.content))
    let moved =
      own.advertisingData.filter { $0 == .localName && contents.contains($0) }.map {
        "\($0.rawValue) in the scan response"
      }
      + own.scanResponse.filter { !$0.isMovable && ![.localName, .bytes].contains($0) }.map {
        "\($0.rawValue) in the advertising data"
      }
    return moved.map {
      Finding(.note, "BlueZ sends \($0)", at: place, hint: "--on exact sends them in this layout")
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

extension AdvertisingField.Content {
  /// Whether a version of BlueZ can send it in the scan response.
  fileprivate var isMovable: Bool {
    [.services, .incompleteServices, .manufacturerData, .serviceData, .raw].contains(self)
  }
}
