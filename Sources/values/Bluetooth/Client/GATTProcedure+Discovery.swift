/// An attribute that discovery has found.
package struct DiscoveredAttribute: Hashable, Sendable {
  package var type: BluetoothUUID
  package var handle: AttributeHandle
  /// The last handle of the group that it begins, for example of a service; nil: the response does not tell it.
  package var end: AttributeHandle?
  /// nil: the response does not tell it.
  package var value: [UInt8]?

  fileprivate init(
    _ type: BluetoothUUID, at handle: AttributeHandle, upTo end: AttributeHandle? = nil,
    _ value: [UInt8]? = nil
  ) {
    (self.type, self.handle, self.end, self.value) = (type, handle, end, value)
  }

  package var handles: HandleRange { HandleRange(handle, end ?? handle) }

  /// The UUID of the service that it declares; nil: it is no such declaration.
  package var service: BluetoothUUID? {
    type == 0x2800 || type == 0x2801 ? value.flatMap { BluetoothUUID(attributeTypeBytes: $0) } : nil
  }

  /// Its value as the declaration of a characteristic; nil: it is none.
  package var characteristic: CharacteristicDeclaration? {
    type == 0x2803 ? value.flatMap { CharacteristicDeclaration($0) } : nil
  }
}

extension AttributePDU {
  /// The attributes of which this response to a request tells, in its order.
  package func attributes(foundBy request: AttributePDU) -> [DiscoveredAttribute] {
    switch (request, self) {
    case (.readByGroupTypeRequest(_, let type), .readByGroupTypeResponse(let groups)):
      groups.map { .init(type, at: $0.handles.first, upTo: $0.handles.last, $0.value) }
    case (.findByTypeValueRequest(_, let type, let value), .findByTypeValueResponse(let groups)):
      groups.map { .init(BluetoothUUID(UInt32(type)), at: $0.first, upTo: $0.last, value) }
    case (.readByTypeRequest(_, let type), .readByTypeResponse(let values)):
      values.map { .init(type, at: $0.handle, $0.value) }
    case (.findInformationRequest, .findInformationResponse(let rows)):
      rows.map { .init($0.type, at: $0.handle) }
    default: []
    }
  }
}

extension GATTProcedure where Value == [DiscoveredAttribute] {
  /// Finds attributes: asks about the handles after the last one found, until there are no more (Vol 3 Part G 4.4 to 4.7).
  ///
  /// Every response must advance, so that no server keeps a client in a loop.
  ///
  /// - Parameters:
  ///   - isLast: Whether nothing after this attribute is sought.
  ///   - fault: Why an attribute, which has a handle in its place or another one, fails the procedure. Without a fault, an attribute
  ///     out of place is left out.
  ///   - isEnd: Whether this failure says that there are no more; otherwise it fails the procedure.
  package static func find(
    in handles: HandleRange = .all, until isLast: @escaping (DiscoveredAttribute) -> Bool = { _ in false },
    fault: @escaping (DiscoveredAttribute, _ isInPlace: Bool) -> Failure? = { _, _ in nil },
    endingAt isEnd: @escaping (Failure) -> Bool = { _ in true },
    _ question: @escaping (HandleRange) -> AttributePDU
  ) -> Self {
    func find(in handles: HandleRange, after earlier: Value) -> Self {
      let request = question(handles)
      return .asking(request) { answer in
        var (found, rest) = (earlier, handles)
        switch answer {
        case .failure(let error): return .ended(isEnd(error) ? .success(found) : .failure(error))
        case .success(let response):
          for attribute in response.attributes(foundBy: request) {
            let isInPlace = rest.contains(attribute.handles)
            if let fault = fault(attribute, isInPlace) { return .ended(.failure(fault)) }
            guard isInPlace else { continue }
            found.append(attribute)
            if attribute.handles.last == rest.last || isLast(attribute) { return .ended(.success(found)) }
            rest.first = attribute.handles.last + 1
          }
        }
        return rest.first > handles.first ? find(in: rest, after: found) : .ended(.success(found))
      }
    }
    return find(in: handles, after: [])
  }
}

extension HandleRange {
  fileprivate func contains(_ range: HandleRange) -> Bool {
    first <= range.first && range.first <= range.last && range.last <= last
  }
}
