import Behavior
import Bluetooth
import DBus

/// The options of ReadValue, WriteValue and AcquireNotify (bluez: doc/gatt-api.txt).
struct RequestOptions {
  var device: String?
  /// Bytes.
  var offset = 0
  /// BlueZ documents this option but does not send it (5.66 to 5.87).
  var kind: WriteKind?
  /// ATT_MTU, bytes.
  var mtu: Int?
  /// bluetoothd asks whether it may queue a prepared write; nothing is written yet.
  var isAuthorization = false

  init(_ reader: inout MessageReader) throws(DBusError) {
    var options = Self()
    try reader.entries { (key, value) throws(DBusError) in
      switch key {
      case "device": options.device = try value.objectPath().string
      case "offset": options.offset = Int(try value.uint16())
      case "mtu": options.mtu = Int(try value.uint16())
      case "type": options.kind = WriteKind(rawValue: try value.string())
      case "prepare-authorize": options.isAuthorization = try value.bool()
      default: break
      }
    }
    self = options
  }

  init() {}
}
