import Bluetooth
import Definitions
import DeviceModel

/// A message of a characteristic of the Bluetooth SIG, as the GATT Specification Supplement or the service's specification
/// describes it.
package struct StandardMessage: Hashable, Sendable {
  package var uuid: BluetoothUUID
  /// Unique among all of them.
  package var name: String
  /// Who sends it; nil: either, as with values that a central may read and write.
  package var direction: ValueStream.Direction?
  /// A template of bytes, in the language of definitions.
  package var template: String

  init(_ uuid: BluetoothUUID, _ name: String, _ direction: ValueStream.Direction?, _ template: String) {
    (self.uuid, self.name, self.direction, self.template) = (uuid, name, direction, template)
  }

  /// Whether the bytes are this message.
  package func matches(_ bytes: [UInt8]) -> Bool { compiled?.parse(bytes) != nil }

  /// The template, ready to match; never nil for those of ``StandardMessages``.
  package var compiled: MessageTemplate? { try? MessageTemplate(name: name, template: template) }
}

/// All of them.
package enum StandardMessages {
  /// The messages of a characteristic, in the order in which to try them; empty: it has none here.
  package static func messages(
    for uuid: BluetoothUUID, _ direction: ValueStream.Direction
  ) -> [StandardMessage] {
    (byUUID[uuid] ?? []).filter { $0.direction == nil || $0.direction == direction }
  }

  package static let all = device + environment + sensors + machines + machineControl + health + scales

  private static let byUUID = Dictionary(grouping: all, by: \.uuid)
}
