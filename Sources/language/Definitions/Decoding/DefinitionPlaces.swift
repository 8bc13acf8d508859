import Bluetooth
import DeviceModel

/// The places of a definition's parts in its files, each by its index in ``PeripheralDefinition``.
struct DefinitionPlaces {
  private let root: Node<Language.Definition>
  var services: [SourceRange] = []
  var characteristics: [SourceRange] = []
  /// The descriptors of each characteristic.
  var descriptors: [[SourceRange]] = []
  /// The handles of services, characteristics and descriptors.
  var handles: [DefinitionPlace: SourceRange] = [:]
  /// The raw structures of the advertisement.
  var rawStructures: [(type: SourceRange, bytes: SourceRange)] = []
  /// The ids of the channels.
  var channels: [SourceRange] = []
  /// The ids of what the device looks for.
  var sought: [SourceRange] = []
  var rules: [RuleEntry] = []
  /// The places where expressions use values that a transport may not know.
  var transportValues: [SourceRange] = []

  var faults: [SourceRange] = []

  init(_ root: Node<Language.Definition>) { self.root = root }

  subscript(place: DefinitionPlace) -> SourceRange {
    switch place {
    case .advertisement(let key): root.advertisement?.place(of: key) ?? root.place
    case .advertisingSet(let index, let key):
      root.advertisement?.sets[index].value.place(of: key) ?? root.place
    case .rawType(let index): rawStructures[index].type
    case .rawBytes(let index): rawStructures[index].bytes
    case .service(let index), .serviceEnd(let index): services[index]
    case .characteristic(let index): characteristics[index]
    case .descriptor(let number, let index): descriptors[index][number]
    case .channel(let index): channels[index]
    case .sought(let index): sought[index]
    case .handle(let place): handles[place] ?? self[place]
    case .transportValue(let number): transportValues[number]
    case .event(let index): event(of: rules[index].rule)
    case .refusal(let number, let index): refusal(number, of: rules[index].rule)
    case .reason(let number, let index): reason(number, of: rules[index].rule)
    case .fault(let index): faults[index]
    case .link(let key): root.link?.place(of: key) ?? root.place
    case .security(let key): root.security?.place(of: key) ?? root.place
    }
  }

  private func event(of rule: Node<Language.Rule>) -> SourceRange {
    rule.event?.write.first?.range ?? rule.event?.place ?? rule.place
  }

  /// The n-th error with which a rule refuses, of those that exist.
  private func refusal(_ number: Int, of rule: Node<Language.Rule>) -> SourceRange {
    let errors = rule.actions.withInner.compactMap(\.refuse).filter { ATTError(named: $0.text) != nil }
    return errors.dropFirst(number).first?.range ?? rule.place
  }

  private func reason(_ number: Int, of rule: Node<Language.Rule>) -> SourceRange {
    let reasons = rule.actions.withInner.compactMap { $0.reason ?? $0.disconnect }.filter { reason in
      HCIError(reasonToDisconnect: reason.text).map { $0 != .remoteUserTerminated } ?? false
    }
    return reasons.dropFirst(number).first?.range ?? rule.place
  }

  subscript(place: AttributeTableError.Place) -> SourceRange {
    switch place {
    case .device: root.place(of: Language.Definition.outline.keys.services.name)
    case .service(let index, _): services[index]
    case .characteristic(let index, _): characteristics[index]
    }
  }

  /// A transport's finding, at its place in a file.
  func diagnostic(of finding: Finding) -> Diagnostic {
    Diagnostic(
      Diagnostic.Severity(finding.severity), finding.message, at: self[finding.place],
      hint: finding.hint, notes: finding.notes)
  }
}

extension Diagnostic.Severity {
  init(_ severity: Finding.Severity) {
    self =
      switch severity {
      case .error: .error
      case .warning: .warning
      case .note: .note
      }
  }
}
