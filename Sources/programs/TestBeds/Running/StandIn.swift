import AttributeServer
import Bluetooth
import DeviceModel

/// A device that takes the place of another one in a conversation: its double. Attributes with the same handle are the same.
package struct StandIn: Sendable {
  package let definition: PeripheralDefinition
  /// The attributes of the device of the conversation, as it begins.
  let originalTable: AttributeTable
  private let doubles: [AttributeReference: AttributeReference]
  private let originals: [AttributeReference: AttributeReference]

  /// - Parameters:
  ///   - original: the device of the conversation.
  ///   - settings: one value for each of its settings.
  /// - Throws: ``DeviceModel/AttributeTableError``.
  package init(
    _ definition: PeripheralDefinition, for original: PeripheralDefinition, _ settings: [Value]
  ) throws {
    self.definition = definition
    originalTable = try Self.table(of: original, settings)
    let table = try Self.table(of: definition, definition.settings.map(\.initial))
    let theirs = Self.handles(of: original, originalTable)
    let ours = Dictionary(uniqueKeysWithValues: Self.handles(of: definition, table).map { ($1, $0) })
    doubles = theirs.compactMapValues { ours[$0] }
    originals = Dictionary(uniqueKeysWithValues: doubles.map { ($1, $0) })
  }

  /// The device that plays the part of a definition. If it says nothing of pairing where the definition does, pairing would depend
  /// on the system; then it pairs by Just Works.
  func device(for definition: PeripheralDefinition) -> PeripheralDefinition {
    var device = self.definition
    if device.security == nil, definition.security != nil { device.security = PairingTemplate() }
    return device
  }

  private static func table(
    of definition: PeripheralDefinition, _ settings: [Value]
  ) throws -> AttributeTable {
    var context = definition.initialContext
    context.settings = settings
    return try definition.attributes(in: context)
  }

  private static func handles(
    of definition: PeripheralDefinition, _ table: AttributeTable
  ) -> [AttributeReference: AttributeHandle] {
    let owners = AttributeDatabase.handles(of: definition, table)
    return Dictionary(
      uniqueKeysWithValues: owners.compactMap { owner, handle in
        if case .attribute(let reference) = owner { (reference, handle) } else { nil }
      })
  }

  /// nil: the double has no such attribute.
  func double(of attribute: AttributeReference) -> AttributeReference? { doubles[attribute] }

  /// nil: the double has no such characteristic.
  func double(of characteristic: Int) -> Int? {
    if case .characteristic(let index) = doubles[.characteristic(characteristic)] { index } else { nil }
  }

  /// nil: the original has no such characteristic.
  func original(of characteristic: Int) -> Int? {
    if case .characteristic(let index) = originals[.characteristic(characteristic)] { index } else { nil }
  }
}
