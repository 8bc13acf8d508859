/// One AD structure of a packet, and what it stands for.
package struct AdvertisingField: Hashable, Sendable {
  /// What it stands for, in the words of a definition file.
  package enum Content: String, Sendable {
    case flags
    case services
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

  /// The bytes it takes on the air.
  package var size: Int { structure.size }
}

extension [AdvertisingField] {
  /// The bytes they take on the air.
  package var size: Int { reduce(0) { $0 + $1.size } }
}
