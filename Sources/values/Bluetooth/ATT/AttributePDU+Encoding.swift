extension AttributePDU {
  /// The PDU as it is sent.
  ///
  /// - Precondition: The rows fit into one PDU: see the cases.
  package func encode() -> [UInt8] { [opcode.rawValue] + parameters }

  private var parameters: [UInt8] {
    switch self {
    case .errorResponse(let request, let handle, let error):
      [request.rawValue] + handle.littleEndianBytes + [error.rawValue]
    case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): mtu.littleEndianBytes
    case .findInformationRequest(let handles): handles.bytes
    case .findInformationResponse(let rows): Self.bytes(of: rows)
    case .findByTypeValueRequest(let handles, let type, let value):
      handles.bytes + type.littleEndianBytes + value
    case .findByTypeValueResponse(let rows): rows.flatMap(\.bytes)
    case .readByTypeRequest(let handles, let type), .readByGroupTypeRequest(let handles, let type):
      handles.bytes + type.attributeTypeBytes
    case .readByTypeResponse(let rows):
      Self.bytes(ofRows: rows.map { $0.handle.littleEndianBytes + $0.value })
    case .readByGroupTypeResponse(let rows): Self.bytes(ofRows: rows.map { $0.handles.bytes + $0.value })
    case .readRequest(let handle): handle.littleEndianBytes
    case .readBlobRequest(let handle, let offset): handle.littleEndianBytes + offset.littleEndianBytes
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      handles.flatMap(\.littleEndianBytes)
    case .readMultipleVariableResponse(let values): values.flatMap(\.bytes)
    case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value): value
    case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
      .notification(let handle, let value), .indication(let handle, let value):
      handle.littleEndianBytes + value
    case .signedWriteCommand(let handle, let value, let signature):
      handle.littleEndianBytes + value + signature
    case .prepareWriteRequest(let handle, let offset, let part),
      .prepareWriteResponse(let handle, let offset, let part):
      handle.littleEndianBytes + offset.littleEndianBytes + part
    case .executeWriteRequest(let commits): [commits ? 0x01 : 0x00]
    case .multipleNotification(let values): values.flatMap(\.bytesWithLength)
    case .writeResponse, .executeWriteResponse, .confirmation: []
    case .unknown(_, let parameters): parameters
    }
  }
}

// MARK: Rows

extension AttributePDU {
  /// Format 0x01 is rows with 16-bit UUIDs, 0x02 with 128-bit ones (Vol 3 Part F 3.4.3.2).
  private static func bytes(of rows: [AttributeInformation]) -> [UInt8] {
    let isShort = rows.allSatisfy { $0.type.width == .bits16 }
    let bytes = rows.flatMap {
      $0.handle.littleEndianBytes + (isShort ? $0.type.littleEndianBytes : $0.type.longLittleEndianBytes)
    }
    return [isShort ? 0x01 : 0x02] + bytes
  }

  /// The length of each row, then the rows.
  private static func bytes(ofRows rows: [[UInt8]]) -> [UInt8] {
    let length = rows.first?.count ?? 0
    precondition(rows.allSatisfy { $0.count == length }, "all rows of a response have one length")
    precondition(length <= UInt8.max, "the length of a row is one byte")
    return [UInt8(length)] + rows.joined()
  }
}

extension HandleRange {
  fileprivate var bytes: [UInt8] { first.littleEndianBytes + last.littleEndianBytes }
}

extension VariableValue {
  fileprivate var bytes: [UInt8] { length.littleEndianBytes + value }
}

extension AttributeValue {
  fileprivate var bytesWithLength: [UInt8] {
    precondition(value.count <= UInt16.max, "the length of a notified value is two bytes")
    return handle.littleEndianBytes + UInt16(value.count).littleEndianBytes + value
  }
}
