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

// MARK: The whole table

extension GATTProcedure where Value == DiscoveredTable {
  /// Finds services, their characteristics and descriptors (Core Specification, Vol 3 Part G 4.4 to 4.7).
  ///
  /// - Parameters:
  ///   - isWhole: Whether also secondary services are sought, and which services each service includes.
  ///   - failure: Why a fault of the table fails the procedure; nil: what is faulty is left out.
  ///   - isEnd: Whether this failure says that there are no more attributes; otherwise it fails the procedure.
  package static func discover(
    isWhole: Bool = false,
    failingFor failure: @escaping (TableFault, AttributeHandle) -> Failure? = { _, _ in nil },
    endingAt isEnd: @escaping (Failure) -> Bool
  ) -> Self {
    typealias Search = GATTProcedure<[DiscoveredAttribute], Failure>
    func find(
      in handles: HandleRange = .all, _ question: @escaping (HandleRange) -> AttributePDU,
      _ fault: @escaping (DiscoveredAttribute) -> (TableFault, AttributeHandle)? = { _ in nil }
    ) -> Search {
      .find(
        in: handles,
        fault: { attribute, isInPlace in
          (isInPlace ? fault(attribute) : (.handleOutOfPlace, attribute.handle)).flatMap(failure)
        }, endingAt: isEnd, question)
    }

    func services(_ type: BluetoothUUID) -> Search {
      find {
        .readByGroupTypeRequest($0, type: type)
      } _: {
        $0.service == nil ? (.unreadableDeclaration, $0.handle) : nil
      }
    }

    func included(by service: DiscoveredService) -> Search {
      isWhole
        ? find(in: service.handles) { .readByTypeRequest($0, type: 0x2802) } : .ended(.success([]))
    }

    func fill(_ found: [DiscoveredService], from index: Int) -> Self {
      guard index < found.count else { return .ended(.success(DiscoveredTable(services: found))) }
      let handles = found[index].handles
      return included(by: found[index]).then { includes in
        find(in: handles) {
          .readByTypeRequest($0, type: 0x2803)
        } _: {
          $0.fault(below: handles.last)
        }
        .then { declarations in
          var found = found
          found[index].includes = includes.compactMap(\.included)
          found[index].add(declarations: declarations)
          return describe(found, index, from: 0)
        }
      }
    }

    func describe(_ found: [DiscoveredService], _ index: Int, from number: Int) -> Self {
      guard number < found[index].characteristics.count else { return fill(found, from: index + 1) }
      let (last, value) = (found[index].lastHandle(of: number), found[index].characteristics[number].handle)
      if value > last, let failure = failure(.handleOutOfPlace, value) { return .ended(.failure(failure)) }
      guard value < last else { return describe(found, index, from: number + 1) }
      return find(in: HandleRange(value + 1, last)) { .findInformationRequest($0) }.then { descriptors in
        var found = found
        found[index].characteristics[number].descriptors = descriptors.map { .init($0.handle, $0.type) }
        return describe(found, index, from: number + 1)
      }
    }

    return services(0x2800).then { primary in
      (isWhole ? services(0x2801) : .ended(.success([]))).then { secondary in
        let all = (primary + secondary).sorted { $0.handle < $1.handle }
        return fill(
          all.compactMap { group in
            group.service.map {
              DiscoveredService(uuid: $0, handles: group.handles, isPrimary: group.type == 0x2800)
            }
          }, from: 0)
      }
    }
  }
}

extension GATTProcedure {
  /// Continues with the procedure that follows from the result of this one.
  private func then<Next>(_ next: @escaping (Value) -> GATTProcedure<Next, Failure>) -> GATTProcedure<
    Next, Failure
  > {
    switch self {
    case .ended(.success(let value)): next(value)
    case .ended(.failure(let failure)): .ended(.failure(failure))
    case .asking(let pdu, let proceed): .asking(pdu) { proceed($0).then(next) }
    }
  }
}

extension DiscoveredAttribute {
  /// The handle of the service that it includes; nil: it is no such declaration.
  fileprivate var included: AttributeHandle? {
    guard type == 0x2802, let value, value.count >= 4 else { return nil }
    return AttributeHandle(value[0], value[1])
  }

  /// What is wrong with it as the declaration of a characteristic in a service that ends with this handle.
  fileprivate func fault(below last: AttributeHandle) -> (TableFault, AttributeHandle)? {
    guard let value = characteristic?.valueHandle else { return (.unreadableDeclaration, handle) }
    return handle < value && value <= last ? nil : (.handleOutOfPlace, value)
  }
}

extension HandleRange {
  fileprivate func contains(_ range: HandleRange) -> Bool {
    first <= range.first && range.first <= range.last && range.last <= last
  }
}
