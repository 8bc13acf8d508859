import Bluetooth
import BlemuJSON

extension TextForm {
  var schema: JSONValue {
    (["description": .string(summary)] as JSONValue).adding([
      "type": types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string)),
      "pattern": pattern.map(JSONValue.string),
    ])
  }

  private var summary: String {
    switch self {
    case .plain: "text"
    case .identifier: Identifier.rule
    case .signature: "a name, or a name with its parameters: say(word)"
    case .characteristicID: "the id of a characteristic; its UUID where it has none"
    case .attribute: "the id of a characteristic, or of one of its descriptors: serial, serial/2901"
    case .uuid: "a UUID: 4 or 8 hex digits, or 36 characters with hyphens"
    case .uuidTemplate: "a UUID, or bytes in hex with holes that form one: FFE0, {service-uuid}"
    case .serviceID: "a UUID, or the id of one of the device's services"
    case .company: "a company identifier: 4 hex digits"
    case .adType: "an AD type: 2 hex digits"
    case .ownAddress: "public, random, or an address from C0:00:00:00:00:01 on"
    case .setAddress:
      "public, random, resolvable, non-resolvable, an address from C0:00:00:00:00:01 on, or holes that form one: {slice(key, 0, 6)}"
    case .deviceAddress: "an address, or bytes in hex with holes that form one: 4C:32:75:0A:11:9E, {phone}"
    case .acceptedCentral: "bonded, any, or an address as in 'directed': 4C:32:75:0A:11:9E, {owner}"
    case .bytes: "bytes in hex, optionally with holes: 48 4D {address}"
    case .template: "text, optionally with holes: {local-name}"
    case .message: "bytes in hex with fields and checksums: A5 06 {month: u8} {xor8}"
    case .textMessage: "text with fields and checksums: OK+NAME:{name}"
    case .attError: "the name of an ATT error, or its code: value-not-allowed, 0x80"
    case .expression: "an expression: month <= 12 and not is-worn"
    case .duration: "a number with ms, s, min, h or d: 200ms"
    case .file: "the name of a file next to the definition"
    case .parent: "the name of a bundled definition, or of a file next to this one"
    case .value: "a value of the type next to it"
    case .deviceName: "letters, digits, '-', '_' and '.', the first a letter or a digit"
    case .transport: "bluez or exact, optionally with an adapter, or loopback: exact:hci0"
    case .fault: "a fault: drop out on serial every 3rd, delay 200ms jitter 50ms out, refuse 0x80 10%"
    }
  }

  /// The types that YAML may give such a text. It reads `1E10` as a number, `off` as a boolean, an empty value as null.
  private var types: [String] {
    switch self {
    case .plain, .template, .value, .textMessage: ["string", "number", "boolean", "null"]
    case .bytes, .deviceAddress, .acceptedCentral: ["string", "number", "null"]
    case .expression: ["string", "number", "boolean"]
    case .identifier, .signature: ["string", "boolean"]
    case .characteristicID, .serviceID, .attribute: ["string", "number", "boolean"]
    case .uuid, .uuidTemplate, .message, .file, .parent, .attError, .deviceName: ["string", "number"]
    case .company, .adType, .ownAddress, .setAddress, .duration, .fault, .transport: ["string"]
    }
  }

  /// A regular expression of ECMA-262 that every text of this form matches; nil if there is none.
  var pattern: String? {
    switch self {
    case .identifier: Identifier.pattern
    case .signature: Signature.pattern
    case .characteristicID, .serviceID: "\(Identifier.pattern)|\(BluetoothUUID.pattern)"
    case .uuid: BluetoothUUID.pattern
    case .uuidTemplate: "\(BluetoothUUID.pattern)|\\{"
    case .company: "^(0x)?[0-9A-Fa-f]{4}$"
    case .adType: AdvertisingDataType.pattern
    case .ownAddress: OwnAddress.pattern
    case .setAddress: "\(OwnAddress.pattern)|^(non-)?resolvable$|\\{"
    case .duration: DurationText.pattern
    case .file, .parent: "^[^/]+$"
    case .deviceName: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
    case .transport: "^(loopback|(bluez|exact)(:.+)?)$"
    case .plain, .attribute, .deviceAddress, .acceptedCentral, .bytes, .template, .message, .textMessage,
      .attError,
      .expression, .fault, .value:
      nil
    }
  }
}
