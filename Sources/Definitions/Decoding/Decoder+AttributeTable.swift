import Bluetooth
import DeviceModel

/// Attributes that come from settings: what is read of them, and what they come to with settings that are known.
extension DefinitionDecoder {
  func attributeUUID(_ node: YAMLNode?) -> UUIDTemplate? {
    guard let node, let uuid = uuidTemplate(node) else { return nil }
    return comesFromSettings(uuid.expressions, at: node) ? uuid : nil
  }

  func presence(_ node: YAMLNode?) -> Presence? {
    guard let node, let text = node.text else { return nil }
    let condition = read(node) { text throws(TextError) in
      try expression(text, as: .boolean, in: scope)
    }
    guard let condition, comesFromSettings([condition], at: node) else { return nil }
    return Presence(condition: condition, source: text)
  }

  /// A table is made at the start and after a reset: what else may change then is as it was at first.
  private func comesFromSettings(_ expressions: [Expression], at node: YAMLNode) -> Bool {
    if expressions.allSatisfy(\.comesFromSettings) { return true }
    log.error(
      "what attributes there are depends on settings only", at: node.range,
      hint: "it is decided at the start and after a reset, and a setting is kept over that")
    return false
  }

  /// Whether there is a table with the settings as they are at first, and with others that decide over it.
  func checkAttributeTable() {
    guard !log.hasErrors, !definition.services.isEmpty else { return }
    var doubled = DoubledAttributes(definition)
    for other in [ValueCase(context: definition.initialContext)] + definition.attributeCases {
      do {
        let table = try definition.attributes(in: other.context)
        for (place, uuid) in doubled.found(in: table) {
          warn(of: uuid, other.circumstance, at: node(of: place))
        }
      } catch {
        return report(error, other.circumstance)
      }
    }
  }

  /// The first case that comes to nothing is enough.
  private func report(_ error: any Error, _ circumstance: String) {
    guard let error = error as? AttributeTableError else { return }
    log.error(circumstance + "\(error.reason)", at: node(of: error.place).startRange)
  }

  private func warn(of uuid: BluetoothUUID, _ circumstance: String, at node: YAMLNode) {
    log.warn(
      circumstance + "a second \(uuid) beside the first", at: node.range,
      hint: "many clients find only the first")
  }

  /// The UUID of an attribute.
  private func node(of place: AttributeTableError.Place) -> YAMLNode {
    let node =
      switch place {
      case .device: root["services"]
      case .service(let index, _): nodes.services[index]["uuid"]
      case .characteristic(let index, _): nodes.characteristics[index]["uuid"]
      }
    return node ?? root
  }
}
