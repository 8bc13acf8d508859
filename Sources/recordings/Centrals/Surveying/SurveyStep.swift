import Bluetooth

/// Something that is asked of a device.
enum SurveyStep: Hashable, Sendable {
  case exchangeMTU
  /// The declarations of services: 2800 or 2801.
  case groups(BluetoothUUID)
  /// The declarations of includes or characteristics: 2802 or 2803.
  case declarations(BluetoothUUID)
  /// The types of all attributes.
  case types
  /// Decides what to ask of the attributes that are known by now.
  case plan
  case read(AttributeHandle)
  /// Prepares a write, and cancels it.
  case tryWrite(AttributeHandle)
  /// Subscribes to all of these, by the handles of the CCCDs.
  case subscribe([AttributeHandle: Delivery])
  case pair

  /// What is asked of a device whose attributes are not known yet.
  static let discovery: [Self] = [
    .exchangeMTU, .groups(0x2800), .groups(0x2801), .declarations(0x2802), .declarations(0x2803), .types,
    .plan,
  ]

  /// Whether the attributes are not known without it.
  var isDiscovery: Bool {
    switch self {
    case .groups, .declarations, .types: true
    default: false
    }
  }
}

extension SurveyStep: CustomStringConvertible {
  /// As the object of "while it was asked".
  var description: String {
    switch self {
    case .exchangeMTU: "for its ATT_MTU"
    case .groups(0x2800): "for its primary services"
    case .groups: "for its secondary services"
    case .declarations(0x2802): "for its included services"
    case .declarations: "for its characteristics"
    case .types, .plan: "for the types of its attributes"
    case .read(let handle): "for the value of 0x\(handle.hexadecimal(digits: 4))"
    case .tryWrite(let handle): "whether 0x\(handle.hexadecimal(digits: 4)) can be written"
    case .subscribe: "for its notifications and indications"
    case .pair: "to pair"
    }
  }
}
