import Bluetooth

extension GATTClient {
  private typealias Failure = GATTClientError

  /// Finds all primary services, their characteristics and descriptors (Core Specification, Vol 3 Part G 4.4 to 4.7).
  package func discover() async throws(GATTClientError) -> RemoteDatabase {
    var services = try await primaryServices()
    for index in services.indices {
      services[index].characteristics = try await characteristics(of: services[index])
    }
    return RemoteDatabase(services: services)
  }

  /// Finds all attributes with their types, in the order of their handles (Vol 3 Part F 3.4.3.1).
  package func attributes() async throws(GATTClientError) -> [RemoteDescriptor] {
    try await descriptors(in: .all)
  }

  /// Finds the declarations of a type that groups attributes, with the handles of each group (Vol 3 Part F 3.4.4.9).
  package func groups(of type: BluetoothUUID) async throws(GATTClientError) -> [AttributeGroup] {
    try await groups(of: type) { $0 }
  }

  /// - Parameter read: reads a group, before the next request.
  private func groups<Row>(
    of type: BluetoothUUID, _ read: (AttributeGroup) throws(Failure) -> Row
  ) async throws(Failure) -> [Row] {
    try await rows(in: .all, { .readByGroupTypeRequest($0, type: type) }) { response throws(Failure) in
      guard case .readByGroupTypeResponse(let groups) = response else {
        throw .misplaced(response, .readByGroupTypeRequest)
      }
      return try groups.map { group throws(Failure) in (group.handles, try read(group)) }
    }
  }

  /// Reads all values of a type; of a long one, the first part (Vol 3 Part F 3.4.4.1).
  package func values(of type: BluetoothUUID) async throws(GATTClientError) -> [AttributeValue] {
    try await rows(in: .all, { .readByTypeRequest($0, type: type) }) { response throws(Failure) in
      guard case .readByTypeResponse(let values) = response else {
        throw .misplaced(response, .readByTypeRequest)
      }
      return values.map { (HandleRange($0.handle, $0.handle), $0) }
    }
  }

  private func primaryServices() async throws(Failure) -> [RemoteService] {
    try await groups(of: 0x2800) { group throws(Failure) in try RemoteService(group) }
  }

  private func characteristics(of service: RemoteService) async throws(Failure) -> [RemoteCharacteristic] {
    let request = { AttributePDU.readByTypeRequest($0, type: 0x2803) }
    var found = try await rows(in: service.handles, request) { response throws(Failure) in
      guard case .readByTypeResponse(let values) = response else {
        throw .misplaced(response, .readByTypeRequest)
      }
      return try values.map { row throws(Failure) in
        let characteristic = try RemoteCharacteristic(row, below: service.handles.last)
        return (HandleRange(row.handle, row.handle), characteristic)
      }
    }
    for (index, characteristic) in found.enumerated() {
      let next = index + 1 < found.count ? found[index + 1].declarationHandle : nil
      let last = next.map { $0 - 1 } ?? service.handles.last
      guard characteristic.handle <= last else { throw .badTable(.handleOutOfPlace, characteristic.handle) }
      guard characteristic.handle < last else { continue }
      found[index].descriptors = try await descriptors(in: HandleRange(characteristic.handle + 1, last))
    }
    return found
  }

  private func descriptors(in handles: HandleRange) async throws(Failure) -> [RemoteDescriptor] {
    try await rows(in: handles, { .findInformationRequest($0) }) { response throws(Failure) in
      guard case .findInformationResponse(let rows) = response else {
        throw .misplaced(response, .findInformationRequest)
      }
      return rows.map {
        (HandleRange($0.handle, $0.handle), RemoteDescriptor(uuid: $0.type, handle: $0.handle))
      }
    }
  }

  /// Continues after each response until the server finds no more rows or the handles are used up.
  ///
  /// Every response must advance, so that a server cannot keep the client in a loop.
  private func rows<Row>(
    in handles: HandleRange, _ request: (HandleRange) -> AttributePDU,
    _ rows: (AttributePDU) throws(Failure) -> [(HandleRange, Row)]
  ) async throws(Failure) -> [Row] {
    var found: [Row] = []
    var rest = handles
    while true {
      guard let response = try await self.found(request(rest)) else { return found }
      for (place, row) in try rows(response) {
        guard rest.contains(place) else { throw .badTable(.handleOutOfPlace, place.first) }
        found.append(row)
        if place.last == handles.last { return found }
        rest.first = place.last + 1
      }
    }
  }

  /// The response; nil if the server has found nothing.
  private func found(_ request: AttributePDU) async throws(Failure) -> AttributePDU? {
    do throws(Failure) {
      return try await self.request(request)
    } catch .refused(.attributeNotFound, _, _) {
      return nil
    }
  }
}

extension HandleRange {
  fileprivate func contains(_ range: HandleRange) -> Bool {
    first <= range.first && range.first <= range.last && range.last <= last
  }
}

extension RemoteService {
  /// Reads a service declaration, whose value is a UUID of 2 or 16 bytes.
  fileprivate init(_ group: AttributeGroup) throws(GATTClientError) {
    guard let uuid = BluetoothUUID(attributeTypeBytes: group.value) else {
      throw .badTable(.unreadableDeclaration, group.handles.first)
    }
    self.init(uuid: uuid, handles: group.handles)
  }
}

extension RemoteCharacteristic {
  fileprivate init(
    _ row: AttributeValue, below last: AttributeHandle
  ) throws(GATTClientError) {
    guard let declaration = CharacteristicDeclaration(row.value) else {
      throw .badTable(.unreadableDeclaration, row.handle)
    }
    guard row.handle < declaration.valueHandle, declaration.valueHandle <= last else {
      throw .badTable(.handleOutOfPlace, declaration.valueHandle)
    }
    self.init(
      uuid: declaration.uuid, properties: declaration.properties, declarationHandle: row.handle,
      handle: declaration.valueHandle)
  }
}
