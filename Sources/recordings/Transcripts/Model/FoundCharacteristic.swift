import Bluetooth
import DeviceModel

/// A characteristic as a central discovers it: `FFE0/FFE1`.
package struct FoundCharacteristic: Hashable, Sendable {
  package var service: BluetoothUUID
  package var uuid: BluetoothUUID
}

extension FoundCharacteristic: CustomStringConvertible {
  package var description: String { "\(service)/\(uuid)" }
}

extension FoundCharacteristic {
  /// Reads `FFE0/FFE1`; nil if the text has another form.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let service = BluetoothUUID(String(parts[0])),
      let uuid = BluetoothUUID(String(parts[1]))
    else { return nil }
    self.init(service: service, uuid: uuid)
  }
}

extension AttributeTable {
  /// Lists the characteristics in the order in which a central discovers them.
  ///
  /// - Parameter isPresent: whether the device has a characteristic, by its index in the definition.
  package func found(where isPresent: (Int) -> Bool = { _ in true }) -> [FoundCharacteristic] {
    services.flatMap { service in
      service.characteristics.filter { isPresent($0.index) }.map {
        FoundCharacteristic(service: service.uuid, uuid: $0.uuid)
      }
    }
  }
}
