/// One AD structure of a packet, and its meaning.
package struct AdvertisingField: Hashable, Sendable {
  /// The meaning, named as in a definition file.
  package enum Content: String, CaseIterable, Sendable {
    case flags
    case services
    /// Some services, in an incomplete list.
    case incompleteServices = "incomplete-services"
    case manufacturerData = "manufacturer-data"
    case serviceData = "service-data"
    case appearance
    case raw
    case txPower = "tx-power"
    case localName = "local-name"
  }

  package var content: Content
  package var structure: ADStructure

  package init(_ content: Content, _ structure: ADStructure) {
    self.content = content
    self.structure = structure
  }

  /// Its bytes on the air.
  package var size: Int { structure.size }
}

extension [AdvertisingField] {
  /// Their bytes on the air.
  package var size: Int { reduce(0) { $0 + $1.size } }
}
