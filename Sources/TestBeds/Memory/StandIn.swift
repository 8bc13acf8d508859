import AttributeServer
import Bluetooth
import DeviceModel

/// A device that takes the place of another one in a conversation: its double. Attributes with the same handle are the same.
package struct StandIn: Sendable {
  package let definition: PeripheralDefinition
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
    let theirs = try Self.attributes(of: original, settings)
    let handles = try Self.attributes(of: definition, definition.settings.map(\.initial))
    let ours = Dictionary(uniqueKeysWithValues: handles.map { ($1, $0) })
    doubles = theirs.compactMapValues { ours[$0] }
    originals = Dictionary(uniqueKeysWithValues: doubles.map { ($1, $0) })
  }

  private static func attributes(
    of definition: PeripheralDefinition, _ settings: [Value]
  ) throws -> [AttributeReference: AttributeHandle] {
    var context = definition.initialContext
    context.settings = settings
    let handles = AttributeDatabase.handles(of: definition, try definition.attributes(in: context))
    return Dictionary(
      uniqueKeysWithValues: handles.compactMap { owner, handle in
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
