import Bluetooth

/// The limits of a device in memory that has the attributes and packets of another transport. It answers all requests
/// itself, and applies every fault exactly.
package struct ImitatedLimits: TransportLimits {
  private let limits: any TransportLimits

  package init(of limits: any TransportLimits) { self.limits = limits }

  package func check(_ definition: PeripheralDefinition) -> [Finding] { limits.check(definition) }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? {
    limits.problem(with: table, of: definition)
  }

  package func served(_ table: AttributeTable) -> AttributeTable { limits.served(table) }

  package func problem(with advertisement: Advertisement) -> String? { limits.problem(with: advertisement) }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? {
    limits.packets(of: advertisement)
  }

  package var handles: HandleAssignment? { limits.handles }
}
