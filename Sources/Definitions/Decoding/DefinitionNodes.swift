import Bluetooth
import DeviceModel

/// Where the parts of a definition stand in its files, each by its index in ``PeripheralDefinition``.
struct DefinitionNodes {
  var services: [YAMLNode] = []
  var characteristics: [YAMLNode] = []
  /// Of each characteristic.
  var descriptors: [[YAMLNode]] = []
  /// Of the advertisement.
  var rawStructures: [YAMLNode.Entry] = []
  var rules: [YAMLNode] = []
}

extension DefinitionDecoder {
  /// What a transport has found, at its place in a file.
  func diagnostic(of finding: Finding) -> Diagnostic {
    Diagnostic(
      finding.severity == .error ? .error : .warning, finding.message, at: node(of: finding.place).startRange,
      hint: finding.hint, notes: finding.notes)
  }

  private func node(of place: DefinitionPlace) -> YAMLNode {
    switch place {
    case .advertisement(let key): root["advertisement"]?[key] ?? root["advertisement"] ?? root
    case .rawType(let index): nodes.rawStructures[index].key
    case .rawBytes(let index): nodes.rawStructures[index].value
    case .service(let index): nodes.services[index]["uuid"] ?? nodes.services[index]
    case .characteristic(let index): nodes.characteristics[index]["uuid"] ?? nodes.characteristics[index]
    case .descriptor(let number, let index): nodes.descriptors[index][number]["uuid"] ?? root
    case .refusal(let number, let index): nodes.rules[index].refusal(number) ?? nodes.rules[index]
    }
  }
}

extension YAMLNode {
  /// The n-th error that a rule refuses with, of those that there are.
  fileprivate func refusal(_ number: Int) -> YAMLNode? {
    let places = actionsBelow.compactMap { $0["refuse"] }
    return places.filter { ATTError(named: $0.text ?? "") != nil }.dropFirst(number).first
  }
}
