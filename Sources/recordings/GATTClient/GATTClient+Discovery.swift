import Bluetooth

extension GATTClient {
  /// Finds all primary services, their characteristics and descriptors (Core Specification, Vol 3 Part G 4.4 to 4.7).
  package func discover() async throws(GATTClientError) -> DiscoveredTable {
    let groups = try await find(fault: Self.fault) { .readByGroupTypeRequest($0, type: 0x2800) }
    var services = groups.compactMap { group in
      group.service.map { DiscoveredService(uuid: $0, handles: group.handles) }
    }
    for index in services.indices {
      let handles = services[index].handles
      services[index].add(
        declarations: try await find(in: handles, fault: { Self.fault($0, below: handles.last) }) {
          .readByTypeRequest($0, type: 0x2803)
        })
      for number in services[index].characteristics.indices {
        let last = services[index].lastHandle(of: number)
        let value = services[index].characteristics[number].handle
        guard value <= last else { throw .badTable(.handleOutOfPlace, value) }
        guard value < last else { continue }
        let found = try await find(in: HandleRange(value + 1, last)) { .findInformationRequest($0) }
        services[index].characteristics[number].descriptors = found.map { .init($0.handle, $0.type) }
      }
    }
    return DiscoveredTable(services: services)
  }

  /// Finds attributes: asks about the handles after the last one found, until there are no more.
  ///
  /// - Parameter fault: Of an attribute that has a handle in its place; it fails the search.
  package func find(
    in handles: HandleRange = .all, fault: @escaping (DiscoveredAttribute) -> GATTClientError? = { _ in nil },
    _ question: @escaping (HandleRange) -> AttributePDU
  ) async throws(GATTClientError) -> [DiscoveredAttribute] {
    try await perform(
      .find(
        in: handles, fault: { $1 ? fault($0) : .badTable(.handleOutOfPlace, $0.handle) },
        endingAt: { $0.refusal == .attributeNotFound }, question))
  }

  private static func fault(_ service: DiscoveredAttribute) -> GATTClientError? {
    service.service == nil ? .badTable(.unreadableDeclaration, service.handle) : nil
  }

  private static func fault(_ row: DiscoveredAttribute, below last: AttributeHandle) -> GATTClientError? {
    guard let value = row.characteristic?.valueHandle else {
      return .badTable(.unreadableDeclaration, row.handle)
    }
    return row.handle < value && value <= last ? nil : .badTable(.handleOutOfPlace, value)
  }
}
