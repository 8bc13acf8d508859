/// One ATT PDU (Core Specification, Vol 3 Part F 3.4).
package enum AttributePDU: Hashable, Sendable {
  case errorResponse(request: AttributeOpcode, handle: AttributeHandle, error: ATTError)

  case exchangeMTURequest(UInt16)
  case exchangeMTUResponse(UInt16)

  case findInformationRequest(HandleRange)
  case findInformationResponse([AttributeInformation])
  /// The type is a 16-bit UUID.
  case findByTypeValueRequest(HandleRange, type: UInt16, value: [UInt8])
  /// Each found attribute with the last attribute of its group.
  case findByTypeValueResponse([HandleRange])

  case readByTypeRequest(HandleRange, type: BluetoothUUID)
  /// All values have one length.
  case readByTypeResponse([AttributeValue])
  case readRequest(AttributeHandle)
  case readResponse([UInt8])
  case readBlobRequest(AttributeHandle, offset: UInt16)
  case readBlobResponse([UInt8])
  /// Two handles or more.
  case readMultipleRequest([AttributeHandle])
  case readMultipleResponse([UInt8])
  /// Two handles or more.
  case readMultipleVariableRequest([AttributeHandle])
  /// Each value with the length of the whole value, even if the MTU cuts its bytes.
  case readMultipleVariableResponse([VariableValue])
  case readByGroupTypeRequest(HandleRange, type: BluetoothUUID)
  /// All values have one length.
  case readByGroupTypeResponse([AttributeGroup])

  case writeRequest(AttributeHandle, [UInt8])
  case writeResponse
  case writeCommand(AttributeHandle, [UInt8])
  /// The signature has 12 bytes.
  case signedWriteCommand(AttributeHandle, [UInt8], signature: [UInt8])
  case prepareWriteRequest(AttributeHandle, offset: UInt16, part: [UInt8])
  case prepareWriteResponse(AttributeHandle, offset: UInt16, part: [UInt8])
  /// Writes the prepared values, or cancels them.
  case executeWriteRequest(commits: Bool)
  case executeWriteResponse

  case notification(AttributeHandle, [UInt8])
  case indication(AttributeHandle, [UInt8])
  case confirmation
  case multipleNotification([AttributeValue])

  /// Any other opcode, and the bytes after it.
  case unknown(AttributeOpcode, [UInt8])
}

extension AttributePDU {
  package var opcode: AttributeOpcode {
    switch self {
    case .errorResponse: .errorResponse
    case .exchangeMTURequest: .exchangeMTURequest
    case .exchangeMTUResponse: .exchangeMTUResponse
    case .findInformationRequest: .findInformationRequest
    case .findInformationResponse: .findInformationResponse
    case .findByTypeValueRequest: .findByTypeValueRequest
    case .findByTypeValueResponse: .findByTypeValueResponse
    case .readByTypeRequest: .readByTypeRequest
    case .readByTypeResponse: .readByTypeResponse
    case .readRequest: .readRequest
    case .readResponse: .readResponse
    case .readBlobRequest: .readBlobRequest
    case .readBlobResponse: .readBlobResponse
    case .readMultipleRequest: .readMultipleRequest
    case .readMultipleResponse: .readMultipleResponse
    case .readMultipleVariableRequest: .readMultipleVariableRequest
    case .readMultipleVariableResponse: .readMultipleVariableResponse
    case .readByGroupTypeRequest: .readByGroupTypeRequest
    case .readByGroupTypeResponse: .readByGroupTypeResponse
    case .writeRequest: .writeRequest
    case .writeResponse: .writeResponse
    case .writeCommand: .writeCommand
    case .signedWriteCommand: .signedWriteCommand
    case .prepareWriteRequest: .prepareWriteRequest
    case .prepareWriteResponse: .prepareWriteResponse
    case .executeWriteRequest: .executeWriteRequest
    case .executeWriteResponse: .executeWriteResponse
    case .notification: .notification
    case .indication: .indication
    case .confirmation: .confirmation
    case .multipleNotification: .multipleNotification
    case .unknown(let opcode, _): opcode
    }
  }
}

extension AttributePDU {
  /// The ATT_MTU of an LE link before an exchange: the bytes of the longest PDU (Vol 3 Part G 5.2.1).
  package static let defaultMTU = 23

  /// The bytes of a Signed Write Command's signature (Vol 3 Part F 3.3.1).
  package static let signatureLength = 12
}
