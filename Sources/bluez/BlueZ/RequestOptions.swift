import Behavior
import Bluetooth
import DBus
import EventLoop

/// The options of ReadValue, WriteValue and AcquireNotify (bluez: doc/gatt-api.txt).
struct RequestOptions {
  var central: Central?
  /// Bytes.
  var offset = 0
  /// BlueZ documents this option but does not send it (5.66 to 5.87).
  var kind: WriteKind?
  /// ATT_MTU, bytes.
  var mtu: Int?
  /// bluetoothd asks whether it may queue a prepared write; nothing is written yet.
  var isAuthorization = false

  /// Reads them from a call of bluetoothd.
  @EventLoop
  init(_ reader: inout MessageReader, from centrals: KnownCentrals) throws(DBusError) {
    var options = Self()
    try reader.entries { (key, value) throws(DBusError) in
      if key.holds("device") {
        try value.objectPath { options.central = centrals.central(at: $0) }
      } else if key.holds("offset") {
        options.offset = Int(try value.uint16())
      } else if key.holds("mtu") {
        options.mtu = Int(try value.uint16())
      } else if key.holds("type") {
        options.kind = WriteKind(rawValue: try value.string())
      } else if key.holds("prepare-authorize") {
        options.isAuthorization = try value.bool()
      }
    }
    self = options
  }

  init() {}
}
