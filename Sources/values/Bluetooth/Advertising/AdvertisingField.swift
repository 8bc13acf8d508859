/// One AD structure of a packet, or other bytes of it, and their meaning.
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
    /// Any bytes, which need not be AD structures.
    case bytes
  }

  package var content: Content
  /// On the air.
  package var bytes: [UInt8]

  package init(_ content: Content, _ structure: ADStructure) {
    self.init(content, structure.bytes)
  }

  package init(_ content: Content, _ bytes: [UInt8]) {
    (self.content, self.bytes) = (content, bytes)
  }

  package var size: Int { bytes.count }
}

extension [AdvertisingField] {
  /// Their bytes on the air.
  package var size: Int { reduce(0) { $0 + $1.size } }
}
