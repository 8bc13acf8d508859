extension AttributePDU {
  /// The PDU as it is sent.
  ///
  /// - Precondition: The rows fit into one PDU: see the cases.
  package func encode() -> [UInt8] {
    var packet: [UInt8] = []
    packet.reserveCapacity(Self.defaultMTU)
    packet.append(opcode.rawValue)
    appendParameters(to: &packet)
    return packet
  }

  private func appendParameters(to packet: inout [UInt8]) {
    switch self {
    case .errorResponse(let request, let handle, let error):
      packet.append(request.rawValue)
      packet.append(handle)
      packet.append(error.rawValue)
    case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): packet.append(mtu)
    case .findInformationRequest(let handles): packet.append(handles)
    case .findInformationResponse(let rows): packet.append(rows)
    case .findByTypeValueRequest(let handles, let type, let value):
      packet.append(handles)
      packet.append(type)
      packet += value
    case .findByTypeValueResponse(let rows): for row in rows { packet.append(row) }
    case .readByTypeRequest(let handles, let type), .readByGroupTypeRequest(let handles, let type):
      packet.append(handles)
      packet += type.attributeTypeBytes
    case .readByTypeResponse(let rows): packet.append(rows.map { $0.handle.littleEndianBytes + $0.value })
    case .readByGroupTypeResponse(let rows):
      packet.append(
        rows.map { row in [row.handles.first, row.handles.last].flatMap(\.littleEndianBytes) + row.value })
    case .readRequest(let handle): packet.append(handle)
    case .readBlobRequest(let handle, let offset):
      packet.append(handle)
      packet.append(offset)
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      for handle in handles { packet.append(handle) }
    case .readMultipleVariableResponse(let values):
      for value in values {
        packet.append(value.length)
        packet += value.value
      }
    case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value):
      packet += value
    case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
      .notification(let handle, let value), .indication(let handle, let value):
      packet.append(handle)
      packet += value
    case .signedWriteCommand(let handle, let value, let signature):
      packet.append(handle)
      packet += value + signature
    case .prepareWriteRequest(let handle, let offset, let part),
      .prepareWriteResponse(let handle, let offset, let part):
      packet.append(handle)
      packet.append(offset)
      packet += part
    case .executeWriteRequest(let commits): packet.append(UInt8(commits ? 0x01 : 0x00))
    case .multipleNotification(let values): for value in values { packet.append(value) }
    case .writeResponse, .executeWriteResponse, .confirmation: break
    case .unknown(_, let parameters): packet += parameters
    }
  }
}

// MARK: Parts

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt16) {
    append(UInt8(truncatingIfNeeded: number))
    append(UInt8(truncatingIfNeeded: number >> 8))
  }

  fileprivate mutating func append(_ handles: HandleRange) {
    append(handles.first)
    append(handles.last)
  }

  /// Format 0x01 is rows with 16-bit UUIDs, 0x02 with 128-bit ones (Vol 3 Part F 3.4.3.2).
  fileprivate mutating func append(_ rows: [AttributeInformation]) {
    let isShort = rows.allSatisfy { $0.type.width == .bits16 }
    append(UInt8(isShort ? 0x01 : 0x02))
    for row in rows {
      append(row.handle)
      self += isShort ? row.type.littleEndianBytes : row.type.longLittleEndianBytes
    }
  }

  /// The length of each row, then the rows.
  fileprivate mutating func append(_ rows: [[UInt8]]) {
    let length = rows.first?.count ?? 0
    precondition(rows.allSatisfy { $0.count == length }, "all rows of a response have one length")
    precondition(length <= UInt8.max, "the length of a row is one byte")
    append(UInt8(length))
    self += rows.joined()
  }

  fileprivate mutating func append(_ value: AttributeValue) {
    precondition(value.value.count <= UInt16.max, "the length of a notified value is two bytes")
    append(value.handle)
    append(UInt16(value.value.count))
    self += value.value
  }
}
