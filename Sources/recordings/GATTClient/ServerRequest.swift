import Bluetooth

extension AttributePDU {
  /// The answer of a device without attributes to a server's request; nil if this is not a request.
  ///
  /// bluetoothd is also a client of every central: it exchanges the MTU and discovers the attributes.
  func answer(mtu: Int) -> AttributePDU? {
    switch self {
    case .exchangeMTURequest where mtu > Self.defaultMTU: .exchangeMTUResponse(UInt16(mtu))
    case .findInformationRequest(let handles), .findByTypeValueRequest(let handles, _, _),
      .readByTypeRequest(let handles, _), .readByGroupTypeRequest(let handles, _):
      refusal(handles.first, handles.isValid ? .attributeNotFound : .invalidHandle)
    case .readRequest(let handle), .readBlobRequest(let handle, _), .writeRequest(let handle, _),
      .prepareWriteRequest(let handle, _, _):
      refusal(handle, .invalidHandle)
    case .readMultipleRequest(let handles): refusal(handles.first ?? 0, .invalidHandle)
    case .executeWriteRequest: .executeWriteResponse  // nothing is queued
    default: opcode.kind == .request ? refusal(0, .requestNotSupported) : nil
    }
  }

  private func refusal(_ handle: AttributeHandle, _ error: ATTError) -> AttributePDU {
    .errorResponse(request: opcode, handle: handle, error: error)
  }
}

extension HandleRange {
  /// Whether a request may use it (Core Specification, Vol 3 Part F 3.4.3.1).
  fileprivate var isValid: Bool { first != 0 && first <= last }
}
