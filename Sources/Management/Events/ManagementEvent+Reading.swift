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
    let peer = try fields.linkAddress()
    self =
      switch code {
      case .userConfirmationRequest:
        .userConfirmationRequest(
          peer, isHint: try fields.number(UInt8.self) != 0, value: try fields.number())
      case .userPasskeyRequest: .userPasskeyRequest(peer)
      case .passkeyNotify: .passkeyNotify(peer, passkey: try fields.number(), entered: try fields.number())
      }
  }
}

/// The numbers of the events that ``ManagementEvent/Kind`` knows.
private enum ManagementEventCode: UInt16 {
  case userConfirmationRequest = 0x000F
  case userPasskeyRequest = 0x0010
  case passkeyNotify = 0x0017
}
