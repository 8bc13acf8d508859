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

extension LearntDefinition {
  /// Adds the messages that specifications give to what was said on characteristics of the Bluetooth SIG, as far as all values
  /// of a characteristic are such messages. They name what the device sends, also where rules send bytes.
  package mutating func addStandardMessages(of streams: [ValueStream]) {
    for stream in streams {
      guard let uuid = stream.uuid else { continue }
      var rest = stream.values.map(\.bytes)
      var found: [StandardMessage] = []
      for message in StandardMessages.messages(for: uuid, stream.direction) {
        let own = rest.filter { message.fitted(to: [$0]) != nil }
        guard !own.isEmpty, let fitted = message.fitted(to: own) else { continue }
        rest.removeAll { message.fitted(to: [$0]) != nil }
        found.append(fitted)
      }
      guard rest.isEmpty else { continue }
      device.messages += found.compactMap(\.compiled).filter { message in
        !device.messages.contains { $0.name == message.name }
      }
      let names = found.map(\.name).joined(separator: ", ")
      evidence.append(
        Evidence(
          "messages of the specification: \(names)", at: stream.place, agreeing: stream.values.count,
          of: stream.values.count))
    }
  }
}
