import AttributeServer
import Bluetooth
import DeviceModel

/// The parts of a device that blemu's own host and GATT server can serve.
package struct ExactLimits: TransportLimits {
  package init() {}

  package func check(_ definition: PeripheralDefinition) -> [Finding] {
    handleFindings(definition) + advertisingFindings(definition) + accessFindings(definition)
      + cachingFindings(definition) + protectionFindings(definition)
  }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? {
    AttributeDatabase(definition, table, name: "").problems.map(\.description).min()
  }

  package func problem(with advertisement: Advertisement) -> String? {
    advertisingProblem(with: advertisement)?.description
  }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? {
    ExactLayout(advertisement).packets
  }

  package var handles: HandleAssignment? { nil }
}

extension ExactLimits {
  /// Values that go to every central, as far as its link is protected, while nothing makes the central protect it.
  private func protectionFindings(_ definition: PeripheralDefinition) -> [Finding] {
    if definition.possiblePairings.contains(where: \.requestsSecurity) { return [] }
    return definition.characteristics.enumerated().compactMap { index, model in
      guard model.unconditionalDelivery != nil, model.permissions.subscribing > .none else { return nil }
      return Finding(
        .note,
        "a central gets these values only once its link is protected as 'permissions' say, without an error before",
        at: .characteristic(index),
        hint: "'request: true' in 'security' asks each central to encrypt its link")
    }
  }

  /// With the initial settings, and then with others: the first case with problems is enough.
  private func handleFindings(_ definition: PeripheralDefinition) -> [Finding] {
    for other in [ValueCase(context: definition.initialContext)] + definition.attributeCases {
      guard let table = try? definition.attributes(in: other.context) else { return [] }
      let problems = AttributeDatabase(definition, table, name: "").problems
      guard problems.isEmpty else {
        return problems.map { problem in
          Finding(
            .error, other.circumstance + problem.description,
            at: problem.place.map { .handle(of: $0) } ?? .service(0),
            hint: "handles go up in the order of the file; 'blemu show --on exact' prints them")
        }
      }
    }
    return []
  }
}
