import Bluetooth
import DeviceModel
import Framing

/// Turns the nodes of a definition into a ``PeripheralDefinition``, and reports everything that is wrong on the way.
///
/// The ``ShapeChecker`` has looked at the structure before; what it complained about is passed over here, so
/// that each mistake is reported once.
final class DefinitionDecoder {
  let root: YAMLNode
  let log: DiagnosticLog
  var definition: PeripheralDefinition
  var scope = NameScope()
  /// Cells of all tables.
  var cellCount = 0
  var files: DefinitionFiles
  var nodes = DefinitionNodes()
  /// The rules as they were read, for checks that need all of them.
  var ruleNodes: [YAMLNode] { nodes.rules }
  /// Messages that have been found too long for one notification, and where they go.
  var cutMessages: Set<[Int]> = []

  /// - Parameter root: the tree of all of a definition's files.
  init(_ root: YAMLNode, log: DiagnosticLog, files: DefinitionFiles) {
    self.root = root
    self.log = log
    self.files = files
    definition = PeripheralDefinition(name: root["name"]?.text ?? "", summary: root["summary"]?.text ?? "")
  }

  func decode() {
    definition.link.mtu = integer(root["link"]?["mtu"])
    definition.link.centrals = integer(root["link"]?["centrals"])
    decodeSettings()
    decodeVariables()
    decodeTables()
    decodeGenerators()
    decodeStates()
    decodeValues()
    decodeServices()
    decodeWire()
    decodeAnswers()
    decodeFraming()
    decodeMessages()
    decodeAdvertisement()
    decodeRules()
    checkWire()
  }
}

/// Readers of the small forms that stand in scalars; nil, and a report, where the text is wrong.
extension DefinitionDecoder {
  /// Runs something that reads a scalar's text, and reports its mistake at the right column.
  func read<T>(_ node: YAMLNode?, _ body: (String) throws(TextError) -> T) -> T? {
    guard let node, let text = node.text, !log.isClosed else { return nil }
    do {
      return try body(text)
    } catch {
      guard !error.isConsequence else { return nil }
      log.error(
        error.message, at: node.range(at: error.range.lowerBound, length: error.range.count), hint: error.hint
      )
      return nil
    }
  }

  func uuid(_ node: YAMLNode?) -> BluetoothUUID? {
    guard let node, let text = node.text else { return nil }
    if let uuid = BluetoothUUID(text) { return uuid }
    log.error(
      "'\(text)' is not a UUID", at: node.range,
      hint: "4 or 8 hex digits (FFE0), or 36 characters with hyphens")
    return nil
  }

  /// A UUID, or bytes with holes that make one.
  func uuidTemplate(_ node: YAMLNode) -> UUIDTemplate? {
    guard node.text?.contains("{") == true else { return uuid(node).map(UUIDTemplate.literal) }
    return read(node) { text throws(TextError) in
      .bytes(try ValueTemplate.bytes(text, in: scope), source: text)
    }
  }

  /// Milliseconds.
  func duration(_ node: YAMLNode?) -> Int? {
    guard let node, let text = node.text else { return nil }
    if let milliseconds = DurationText.parse(text) { return milliseconds }
    log.error("'\(text)' is not a duration", at: node.range, hint: "a number with ms, s or min, as in 200ms")
    return nil
  }

  /// An attribute's initial value: `value:` in hex or `text:`.
  func initialValue(of node: YAMLNode) -> ValueTemplate {
    let value =
      read(node["value"]) { text throws(TextError) in try ValueTemplate.bytes(text, in: scope) }
      ?? read(node["text"]) { text throws(TextError) in try ValueTemplate.text(text, in: scope) }
    guard let value else { return ValueTemplate() }
    checkSize(of: value, at: (node["value"] ?? node["text"] ?? node).startRange)
    return value
  }

  /// Whether it is a value that an attribute can hold, with the settings as they are at first.
  private func checkSize(of value: ValueTemplate, at range: SourceRange) {
    do {
      let count = try value.render(in: definition.initialContext).count
      let limit = CharacteristicDefinition.maximumValueSize
      if count > limit { log.error("\(count) bytes; an attribute holds at most \(limit)", at: range) }
    } catch {
      log.error("the value has no bytes: \(error)", at: range)
    }
  }

  /// The index of the characteristic that an id names.
  ///
  /// - Parameter others: what else might have stood there.
  func characteristic(_ node: YAMLNode?, orAt others: [String] = []) -> Int? {
    guard let node, let id = node.text else { return nil }
    if let index = definition.characteristics.firstIndex(where: { $0.id == id }) { return index }
    let hint = Suggestion.hint(for: id, in: definition.characteristics.map(\.id) + others)
    log.error("no characteristic has the id '\(id)'", at: node.range, hint: hint)
    return nil
  }

  /// The index of a message.
  func message(_ node: YAMLNode?) -> Int? {
    guard let node, let name = node.text else { return nil }
    if let index = definition.messages.firstIndex(where: { $0.name == name }) { return index }
    let names = (root["messages"]?.entries ?? []).compactMap(\.key.text)
    if names.contains(name) { return nil }  // it is there, and its own mistake is reported
    let hint = Suggestion.hint(for: name, in: names)
    log.error("unknown message '\(name)'", at: node.range, hint: hint)
    return nil
  }

  func flag(_ node: YAMLNode?, default standard: Bool) -> Bool {
    switch node?.text {
    case "true": true
    case "false": false
    default: standard
    }
  }
}
