import Bluetooth
import Framing

/// A characteristic that the device looks for in the GATT server of its centrals, as their GATT client.
package struct SoughtCharacteristic: Sendable {
  /// The name for rules and framing.
  package var id: String
  /// The primary service that has it.
  package var service: BluetoothUUID
  package var uuid: BluetoothUUID
  /// How its values become frames; nil: every value is a frame.
  package var framing: FramingRule?
  /// How a central joins what is sent here, if the definition gives both directions a framing of their own.
  package var outFraming: FramingRule?
  /// How the bytes of its values are encoded; nil: they are not encoded.
  package var coding: StreamCoding?

  package init(id: String, service: BluetoothUUID, uuid: BluetoothUUID) {
    (self.id, self.service, self.uuid) = (id, service, uuid)
  }

  /// How a central joins the values written there; nil if each is complete.
  package var sentFraming: FramingRule? { outFraming ?? (coding?.joinsAtPeer == true ? framing : nil) }
}
