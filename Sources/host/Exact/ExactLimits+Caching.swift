import AttributeServer
import Bluetooth
import DeviceModel
import Framing

extension ExactLimits {
  /// A definition with Generic Attribute alone, or without handles for the two services that every device has.
  func accessFindings(_ definition: PeripheralDefinition) -> [Finding] {
    let uuids = definition.services.map(\.uuid.literal)
    guard let table = try? definition.attributes(in: definition.initialContext), !uuids.contains(0x1800),
      !AttributeDatabase(definition, table, name: "").attributes.contains(where: \.isGenericAccess)
    else { return [] }
    let index = uuids.firstIndex(of: GenericAttributeValue.service) ?? 0
    return [
      Finding(
        .warning, "the device has no Generic Access (1800), which centrals ask for its name",
        at: .service(index),
        hint:
          "add one: blemu adds it only to a definition with neither 1800 nor 1801 that leaves handles for it")
    ]
  }

  /// Finds values of Generic Attribute in the definition that are not true for blemu (Core Specification, Vol 3 Part G 7).
  func cachingFindings(_ definition: PeripheralDefinition) -> [Finding] {
    let services = definition.services.filter { $0.uuid.literal == GenericAttributeValue.service }
    return services.flatMap(\.characteristics).compactMap { index in
      let model = definition.characteristics[index]
      guard let kind = model.uuid.literal.flatMap({ GenericAttributeValue($0) }), !model.value.isEmpty,
        let value = try? model.value.render(in: definition.initialContext)
      else { return nil }
      return switch kind {
      case .clientSupportedFeatures: nil
      case .databaseHash: hashFinding(value, at: index, definition)
      case .serverSupportedFeatures: featuresFinding(value, at: index)
      }
    }
  }

  /// A client that has stored the hash of the real device takes the attributes for those of the real device.
  private func hashFinding(_ value: [UInt8], at index: Int, _ definition: PeripheralDefinition) -> Finding? {
    guard let table = try? definition.attributes(in: definition.initialContext) else { return nil }
    let hash = AttributeDatabase(definition, table, name: "").hash
    guard hash != value else { return nil }
    return Finding(
      .warning, "this is not the hash of these attributes, which is \(HexText.format(hash))",
      at: .characteristic(index), hint: "without a 'value', blemu computes it")
  }

  private func featuresFinding(_ value: [UInt8], at index: Int) -> Finding? {
    guard let first = value.first, first & 0x01 != 0 else { return nil }
    return Finding(
      .warning, "this value announces an Enhanced ATT bearer, which blemu does not serve",
      at: .characteristic(index),
      hint: "without a 'value', it announces none")
  }
}

extension AttributeDatabase.Attribute {
  /// Whether it declares Generic Access.
  fileprivate var isGenericAccess: Bool { type == 0x2800 && content == .constant([0x00, 0x18]) }
}
