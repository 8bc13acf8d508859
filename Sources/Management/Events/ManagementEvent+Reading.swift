import Bluetooth

extension ManagementEvent {
  init(_ message: ManagementMessage) {
    controller = message.controller
    kind = (try? Kind(message)) ?? .other(code: message.code, message.parameters)
  }
}

extension ManagementEvent.Kind {
  fileprivate init(_ message: ManagementMessage) throws(MalformedFields) {
    guard let code = ManagementEventCode(rawValue: message.code) else { throw MalformedFields() }
    var fields = FieldReader(message.parameters)
    self =
      switch code {
      case .indexAdded: .controllerAdded
      case .indexRemoved: .controllerRemoved
      case .newSettings: .newSettings(try ControllerSettings(reading: &fields))
      case .advertisingAdded: .advertisingAdded(try fields.number())
      case .advertisingRemoved: .advertisingRemoved(try fields.number())
      default: try Self.aboutDevice(code, &fields)
      }
  }

  private static func aboutDevice(
    _ code: ManagementEventCode, _ fields: inout FieldReader
  ) throws(MalformedFields) -> Self {
    if code == .newLongTermKey { return try newLongTermKey(&fields) }
    if code == .newIdentityResolvingKey { return try newIdentityResolvingKey(&fields) }
    let peer = try fields.linkAddress()
    return switch code {
    case .deviceConnected: try deviceConnected(peer, &fields)
    case .deviceDisconnected: .deviceDisconnected(peer, try DisconnectReason(reading: &fields))
    case .userConfirmationRequest:
      .userConfirmationRequest(
        peer, isHint: try fields.number(UInt8.self) != 0, value: try fields.number())
    case .userPasskeyRequest: .userPasskeyRequest(peer)
    case .authenticationFailed:
      .authenticationFailed(peer, ManagementStatus(rawValue: try fields.number()))
    case .passkeyNotify: .passkeyNotify(peer, passkey: try fields.number(), entered: try fields.number())
    default: throw MalformedFields()
    }
  }

  /// Flags, then the advertising data with its length.
  private static func deviceConnected(
    _ peer: LinkAddress, _ fields: inout FieldReader
  ) throws(MalformedFields) -> Self {
    _ = try fields.number(UInt32.self)
    _ = try fields.bytes(Int(try fields.number(UInt16.self)))
    return .deviceConnected(peer)
  }

  /// A hint whether to store the key, the address, the key.
  private static func newLongTermKey(_ fields: inout FieldReader) throws(MalformedFields) -> Self {
    let isKept = try fields.number(UInt8.self) != 0
    let peer = try fields.linkAddress()
    return .newLongTermKey(PairingKey(of: peer, try LongTermKey(reading: &fields), isKept: isKept))
  }

  /// A hint whether to store the key, the resolvable private address or zeros, the identity address, the key.
  private static func newIdentityResolvingKey(_ fields: inout FieldReader) throws(MalformedFields) -> Self {
    let isKept = try fields.number(UInt8.self) != 0
    let resolved = try fields.address()
    let peer = try fields.linkAddress()
    let isPrivate = resolved.bytes.contains { $0 != 0 }
    return .newIdentityResolvingKey(
      PairingKey(of: peer, Array(try fields.bytes(16)), isKept: isKept),
      resolved: isPrivate ? LinkAddress(resolved, .random) : nil)
  }
}

/// The numbers of the events that ``ManagementEvent/Kind`` knows.
private enum ManagementEventCode: UInt16 {
  case indexAdded = 0x0004
  case indexRemoved = 0x0005
  case newSettings = 0x0006
  case newLongTermKey = 0x000A
  case deviceConnected = 0x000B
  case deviceDisconnected = 0x000C
  case userConfirmationRequest = 0x000F
  case userPasskeyRequest = 0x0010
  case authenticationFailed = 0x0011
  case passkeyNotify = 0x0017
  case newIdentityResolvingKey = 0x0018
  case advertisingAdded = 0x0023
  case advertisingRemoved = 0x0024
}
