import Bluetooth

// Vol 4 Part E 7.8.24 to 7.8.26
extension Command {
  static let encryption: [UInt16: Self] = [
    // LE Enable Encryption: only the central's host
    0x2019: Self(28, 0, length: 28, .status, needs: .encryption) { controller, parameters throws(HCIError) in
      let handle = try controller.link(&parameters)
      let (random, diversifier) = (try parameters.bytes(8), try parameters.number())
      let key = try parameters.bytes(16)
      guard controller.state.links[handle]?.role == .central, controller.isFreeToEncrypt(handle) else {
        throw .commandDisallowed
      }
      controller.begin(.encryption(random: random, diversifier: diversifier, key: key), on: handle)
      return []
    },
    // LE Long Term Key Request Reply
    0x201A: Self(28, 1, length: 18, .completeWithHandle, needs: .encryption) {
      controller, parameters throws(HCIError) in
      let handle = try controller.askedLink(&parameters)
      controller.answerKeyRequest(try parameters.bytes(16), on: handle)
      return handle.littleEndianBytes
    },
    // LE Long Term Key Request Negative Reply
    0x201B: Self(28, 2, length: 2, .completeWithHandle, needs: .encryption) {
      controller, parameters throws(HCIError) in
      let handle = try controller.askedLink(&parameters)
      controller.answerKeyRequest(nil, on: handle)
      return handle.littleEndianBytes
    },
  ]
}

extension Controller {
  /// Whether encryption is not being started.
  fileprivate func isFreeToEncrypt(_ handle: UInt16) -> Bool {
    guard let end = state.links[handle] else { return false }
    return !([end.procedure].compactMap { $0 } + end.waiting).contains {
      if case .encryption = $0 { true } else { false }
    }
  }

  /// The handle of a link whose key the controller has asked for.
  fileprivate func askedLink(_ parameters: inout Parameters) throws(HCIError) -> UInt16 {
    let handle = try link(&parameters)
    guard case .awaitsKey = state.links[handle]?.start else { throw .commandDisallowed }
    return handle
  }
}
