import Bluetooth

extension GATTClient {
  /// Finds all primary services, their characteristics and descriptors (Core Specification, Vol 3 Part G 4.4 to 4.7).
  package func discover() async throws(GATTClientError) -> DiscoveredTable {
    try await perform(.discover(failingFor: GATTClientError.badTable, endingAt: Self.isEnd))
  }

  /// Finds attributes: asks about the handles after the last one found, until there are no more.
  package func find(
    _ question: @escaping (HandleRange) -> AttributePDU
  ) async throws(GATTClientError) -> [DiscoveredAttribute] {
    try await perform(
      .find(
        fault: { $1 ? nil : .badTable(.handleOutOfPlace, $0.handle) }, endingAt: Self.isEnd, question))
  }

  private static func isEnd(_ error: GATTClientError) -> Bool { error.refusal == .attributeNotFound }
}
