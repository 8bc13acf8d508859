import Bluetooth
import Captures
import Framing

/// A listing of attributes with handles, as the PDUs of a central that discovers and reads them.
extension DeviceListing {
  mutating func add(
    service uuid: BluetoothUUID, isPrimary: Bool = true, at handle: AttributeHandle,
    upTo end: AttributeHandle?
  ) {
    let type: BluetoothUUID = isPrimary ? 0x2800 : 0x2801
    if let end {
      exchange(
        .readByGroupTypeRequest(.all, type: type),
        .readByGroupTypeResponse([.init(HandleRange(handle, end), uuid.attributeTypeBytes)]))
    } else {
      exchange(
        .readByTypeRequest(.all, type: type), .readByTypeResponse([.init(handle, uuid.attributeTypeBytes)]))
    }
  }

  /// - Parameter properties: nil: not known.
  mutating func add(
    characteristic uuid: BluetoothUUID, _ properties: CharacteristicProperties?,
    at handle: AttributeHandle, value: AttributeHandle
  ) {
    if properties == nil { withoutProperties.insert(value) } else { withoutProperties.remove(value) }
    let declaration =
      [properties?.declarationByte ?? 0] + [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
      + uuid.attributeTypeBytes
    exchange(.readByTypeRequest(.all, type: 0x2803), .readByTypeResponse([.init(handle, declaration)]))
  }

  mutating func add(attribute type: BluetoothUUID, at handle: AttributeHandle) {
    exchange(
      .findInformationRequest(HandleRange(handle, handle)), .findInformationResponse([.init(handle, type)]))
  }

  /// Says that there are no attributes but those listed.
  mutating func closeList() {
    exchange(
      .findInformationRequest(.all),
      .errorResponse(request: .findInformationRequest, handle: 1, error: .attributeNotFound))
  }

  mutating func add(value: [UInt8], at handle: AttributeHandle) {
    exchange(.readRequest(handle), .readResponse(value))
  }

  private mutating func exchange(_ request: AttributePDU, _ response: AttributePDU) {
    discovery.events.append(.init(.attribute(request.encode(), from: .central), at: Instant()))
    discovery.events.append(.init(.attribute(response.encode(), from: .peripheral), at: Instant()))
  }
}
