import Bluetooth
import DeviceModel

/// A characteristic as a central finds it: `FFE0/FFE1`.
package struct FoundCharacteristic: Hashable, Sendable {
  package var service: BluetoothUUID
  package var uuid: BluetoothUUID
}

extension FoundCharacteristic: CustomStringConvertible {
  package var description: String { "\(service)/\(uuid)" }
}

extension FoundCharacteristic {
  /// Reads `FFE0/FFE1`; nil where the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let service = BluetoothUUID(String(parts[0])),
      let uuid = BluetoothUUID(String(parts[1]))
    else { return nil }
    self.init(service: service, uuid: uuid)
  }
}

extension AttributeTable {
  /// The characteristics, as a central finds them.
  ///
  /// - Parameter isThere: whether it does, by index in the definition.
  package func found(where isThere: (Int) -> Bool = { _ in true }) -> [FoundCharacteristic] {
    services.flatMap { service in
      service.characteristics.filter { isThere($0.index) }.map {
        FoundCharacteristic(service: service.uuid, uuid: $0.uuid)
      }
    }
  }
}
