extension AttributePDU {
  /// Why bytes are not a PDU.
  package enum DecodingError: Error, Hashable, Sendable {
    case empty
    /// A PDU with this opcode has another length; the number is the count of all its bytes.
    case wrongLength(AttributeOpcode, Int)
    /// A format, a row length or a flag that the specification does not define.
    case invalidParameter(AttributeOpcode, UInt8)
  }

  /// Reads a whole PDU; nothing may follow it.
  ///
  /// A PDU with an unknown opcode is ``unknown(_:_:)``.
  package init(_ bytes: [UInt8]) throws(DecodingError) {
    guard let first = bytes.first else { throw .empty }
    var reader = AttributePDUReader(AttributeOpcode(rawValue: first), bytes)
    self =
      switch reader.opcode.kind {
      case .request: try Self.request(&reader)
      case .response: try Self.response(&reader)
      default: try Self.other(&reader)
      }
    try reader.end()
  }

  private static func request(_ reader: inout AttributePDUReader) throws(DecodingError) -> Self {
    switch reader.opcode {
    case .exchangeMTURequest: .exchangeMTURequest(try reader.number())
    case .findInformationRequest: .findInformationRequest(try reader.handles())
    case .findByTypeValueRequest:
      .findByTypeValueRequest(try reader.handles(), type: try reader.number(), value: reader.rest())
    case .readByTypeRequest: .readByTypeRequest(try reader.handles(), type: try reader.type())
    case .readRequest: .readRequest(try reader.number())
    case .readBlobRequest: .readBlobRequest(try reader.number(), offset: try reader.number())
    case .readMultipleRequest: .readMultipleRequest(try reader.someHandles())
    case .readMultipleVariableRequest: .readMultipleVariableRequest(try reader.someHandles())
    case .readByGroupTypeRequest: .readByGroupTypeRequest(try reader.handles(), type: try reader.type())
    case .writeRequest: .writeRequest(try reader.number(), reader.rest())
    case .prepareWriteRequest:
      .prepareWriteRequest(try reader.number(), offset: try reader.number(), part: reader.rest())
    case .executeWriteRequest: .executeWriteRequest(commits: try reader.flag())
    default: .unknown(reader.opcode, reader.rest())
    }
  }

  private static func response(_ reader: inout AttributePDUReader) throws(DecodingError) -> Self {
    switch reader.opcode {
    case .errorResponse:
      .errorResponse(
        request: AttributeOpcode(rawValue: try reader.byte()), handle: try reader.number(),
        error: ATTError(rawValue: try reader.byte()))
    case .exchangeMTUResponse: .exchangeMTUResponse(try reader.number())
    case .findInformationResponse: .findInformationResponse(try reader.information())
    case .findByTypeValueResponse: .findByTypeValueResponse(try reader.ranges())
    case .readByTypeResponse: .readByTypeResponse(try reader.values())
    case .readResponse: .readResponse(reader.rest())
    case .readBlobResponse: .readBlobResponse(reader.rest())
    case .readMultipleResponse: .readMultipleResponse(reader.rest())
    case .readMultipleVariableResponse: .readMultipleVariableResponse(try reader.variableValues())
    case .readByGroupTypeResponse: .readByGroupTypeResponse(try reader.groups())
    case .writeResponse: .writeResponse
    case .prepareWriteResponse:
      .prepareWriteResponse(try reader.number(), offset: try reader.number(), part: reader.rest())
    case .executeWriteResponse: .executeWriteResponse
    default: .unknown(reader.opcode, reader.rest())
    }
  }

  private static func other(_ reader: inout AttributePDUReader) throws(DecodingError) -> Self {
    switch reader.opcode {
    case .writeCommand: .writeCommand(try reader.number(), reader.rest())
    case .signedWriteCommand:
      .signedWriteCommand(
        try reader.number(), try reader.rest(before: signatureLength), signature: reader.rest())
    case .notification: .notification(try reader.number(), reader.rest())
    case .indication: .indication(try reader.number(), reader.rest())
    case .confirmation: .confirmation
    case .multipleNotification: .multipleNotification(try reader.valuesWithLengths())
    default: .unknown(reader.opcode, reader.rest())
    }
  }
}
