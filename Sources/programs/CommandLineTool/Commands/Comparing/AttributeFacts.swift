import AttributeServer
import Bluetooth
import DeviceModel
import Framing

/// Reads the attribute table that `exact` serves.
struct AttributeFacts {
  private(set) var facts: [DeviceFacts.Fact] = []

  private let definition: PeripheralDefinition
  private let context: EvaluationContext
  /// How often each place has occurred so far.
  private var counts: [String: Int] = [:]
  private var service = ""
  private var characteristic = ""
  /// Whether the next attribute is the value of the characteristic.
  private var expectsValue = false

  init(_ definition: PeripheralDefinition, _ context: EvaluationContext) {
    (self.definition, self.context) = (definition, context)
  }

  mutating func take(_ database: AttributeDatabase) throws {
    for attribute in database.attributes {
      switch (attribute.type, attribute.content) {
      case (0x2800, .constant(let value)), (0x2801, .constant(let value)): take(service: value, attribute)
      case (0x2802, .constant(let value)) where value.count >= 2:
        let place = numbered("\(service) include")
        add("handle", attribute.handle.text, at: place)
        add("service", UInt16(value[0], value[1]).text, at: place)
      case (0x2803, .constant(let value)): take(declaration: value)
      default: try take(attribute)
      }
    }
  }

  private mutating func take(service value: [UInt8], _ attribute: AttributeDatabase.Attribute) {
    let uuid = BluetoothUUID(attributeTypeBytes: value)
    service = numbered(uuid?.description ?? "")
    characteristic = ""
    add("handles", "\(attribute.handle.text) to \(attribute.groupEnd.text)", at: service)
    add("kind", attribute.type == 0x2800 ? "primary" : "secondary", at: service)
    addForm(uuid, value, at: service)
  }

  private mutating func take(declaration value: [UInt8]) {
    guard let declaration = CharacteristicDeclaration(value) else { return }
    characteristic = numbered("\(service) \(declaration.uuid)")
    expectsValue = true
    add("handle", declaration.valueHandle.text, at: characteristic)
    add("properties", declaration.properties.names.joined(separator: ", "), at: characteristic)
    addForm(declaration.uuid, Array(value.dropFirst(3)), at: characteristic)
  }

  private mutating func take(_ attribute: AttributeDatabase.Attribute) throws {
    let isValue = expectsValue
    expectsValue = false
    let place = isValue ? characteristic : numbered("\(characteristic) \(attribute.type)")
    if !isValue { add("handle", attribute.handle.text, at: place) }
    switch attribute.content {
    case .value(.characteristic(let index)):
      let model = definition.characteristics[index]
      add("permissions", model.permissions.names.joined(separator: ", "), at: place)
      add(
        "subscription",
        model.properties.delivery != nil && model.cccd != .required ? model.cccd.rawValue : "", at: place)
      try add(model.value, at: place)
    case .value(.descriptor(let number, let index)):
      let model = definition.characteristics[index].descriptors[number]
      add("permissions", (model.propertyNames + model.permissions.names).joined(separator: ", "), at: place)
      try add(model.value, at: place)
    case .constant(let value): add("value", HexText.format(value), at: place)
    case .configuration, .clientFeatures: break
    }
  }

  private mutating func add(_ template: ValueTemplate, at place: String) throws {
    add("value", HexText.format(try template.render(in: context)), at: place)
  }

  /// A 16-bit UUID may be declared in its 128 bits.
  private mutating func addForm(_ uuid: BluetoothUUID?, _ bytes: [UInt8], at place: String) {
    if uuid?.width == .bits16, bytes.count == 16 { add("form of the UUID", "128 bits", at: place) }
  }

  private mutating func add(_ aspect: String, _ text: String, at place: String) {
    guard !text.isEmpty else { return }
    facts.append(.init(section: "attributes", place: place, aspect: aspect, text: text))
  }

  private mutating func numbered(_ place: String) -> String {
    counts[place, default: 0] += 1
    return counts[place] == 1 ? place : "\(place)#\(counts[place] ?? 1)"
  }
}

extension AttributeHandle {
  fileprivate var text: String { hexadecimal(digits: 4) }
}
