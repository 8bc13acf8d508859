/// Something about a device that a listing does not say.
package enum ListingGap: Hashable, Sendable, CaseIterable {
  case handles, endHandles, form, secondary, includes, genericAccess, properties, emptyValues, security
  case advertisement, packets, advertisingType, interval, addressKind, behavior

  /// A sentence for a person, with what blemu does instead.
  package var sentence: String {
    switch self {
    case .handles: "The handles are not known: blemu numbers the attributes in the order of the file."
    case .endHandles: "The last handle of a service is not known: blemu takes that of its last attribute."
    case .form: "Whether a UUID is declared in 16 or in 128 bits is not known: blemu uses 16 where possible."
    case .secondary: "Secondary services are not known: all are primary."
    case .includes: "Included services are not known."
    case .genericAccess: "BlueZ does not list Generic Access, and not every version lists Generic Attribute."
    case .properties: "The properties of some characteristics are not known: comments there say so."
    case .emptyValues: "An empty value may be one that could not be read."
    case .security: "The security that an attribute requires is not known."
    case .advertisement: "The advertisement is not known."
    case .packets: "The packets of the advertisement are not known."
    case .advertisingType: "The type of the advertising is not known: blemu makes it connectable."
    case .interval: "The advertising interval is not known."
    case .addressKind: "Whether the address is public or random is not known."
    case .behavior:
      "Answers and notifications are not known: write rules, or learn them from a recording with 'blemu learn'."
    }
  }
}

extension [DeviceListing] {
  /// What none of these listings of one device says.
  package var gaps: [ListingGap] {
    var gaps = Set(flatMap(\.format.gaps))
    if contains(where: { !$0.advertisements.isEmpty }) { gaps.subtract([.advertisement, .packets]) }
    let knowsInterval = contains { $0.advertisements.contains { $0.interval != nil } }
    if knowsInterval { gaps.subtract([.interval, .advertisingType, .addressKind]) }
    if contains(where: { $0.table.characteristics.contains { $0.properties == nil } }) {
      gaps.insert(.properties)
    }
    return ListingGap.allCases.filter(gaps.contains)
  }
}
