import Bluetooth

extension GATTClient {
  func receive(_ bytes: [UInt8]) {
    if let onPacket { return onPacket(bytes) }
    if let server, let opcode = bytes.first.map(AttributeOpcode.init), !opcode.isOfServer,
      opcode != .exchangeMTURequest
    {
      return server(bytes)
    }
    do throws(AttributePDU.DecodingError) {
      let pdu = try AttributePDU(bytes)
      switch pdu.opcode.kind {
      case .request: answer(pdu)
      case .response: take(pdu, bytes)
      case .notification, .indication:
        let delivery = pdu.passValues { onValue?($0, $1, $2) }
        if delivery == .indication { channel.send(AttributePDU.confirmation.encode()) }
      case .command, .confirmation: nonsense(bytes)
      }
    } catch {
      receiveUnreadable(bytes)
    }
  }

  private func answer(_ request: AttributePDU) {
    guard let answer = request.answer(mtu: wantedMTU) else { return }
    channel.send(answer.encode())
    if case .exchangeMTUResponse = answer, case .exchangeMTURequest(let theirs) = request { agree(theirs) }
  }

  private func take(_ response: AttributePDU, _ bytes: [UInt8]) {
    guard let request = requests.opcodeOnItsWay else { return nonsense(bytes) }
    if case .exchangeMTUResponse(let theirs) = response, request == .exchangeMTURequest { agree(theirs) }
    _ = requests.take(Self.outcome(response, of: request, bytes))
  }

  private static func outcome(
    _ response: AttributePDU, of request: AttributeOpcode, _ bytes: [UInt8]
  ) -> RequestQueue.Outcome {
    switch response {
    case .errorResponse(request, let handle, let error): .failure(.refused(error, request, handle))
    case _ where response.opcode == request.response: .success(response)
    default: .failure(.unexpectedResponse(bytes, request))
    }
  }

  /// An unreadable request still gets an answer, and an unreadable response still ends its request.
  private func receiveUnreadable(_ bytes: [UInt8]) {
    guard let opcode = bytes.first.map(AttributeOpcode.init) else { return }
    let request = requests.opcodeOnItsWay
    if opcode.kind == .response, let request {
      _ = requests.take(.failure(.unexpectedResponse(bytes, request)))
    } else {
      nonsense(bytes)
    }
    guard opcode.kind == .request else { return }
    channel.send(AttributePDU.errorResponse(request: opcode, handle: 0, error: .invalidPDU).encode())
  }

  private func nonsense(_ bytes: [UInt8]) { onNonsense?(bytes) }
}
