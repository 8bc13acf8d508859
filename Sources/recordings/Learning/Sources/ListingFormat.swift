/// The formats in which other programs note what they have seen of a device.
package enum ListingFormat: Hashable, Sendable, CaseIterable {
  case serverConfiguration, gatttool, bluetoothctl

  package var name: String {
    switch self {
    case .serverConfiguration: "a server configuration of nRF Connect"
    case .gatttool: "output of gatttool"
    case .bluetoothctl: "output of bluetoothctl"
    }
  }

  /// Whether its texts are pieces of one listing, in any number of files.
  var isInPieces: Bool { self == .gatttool || self == .bluetoothctl }

  /// What no file of this format says about a device.
  package var gaps: [ListingGap] {
    switch self {
    case .serverConfiguration: [.handles, .form, .secondary, .includes, .advertisement, .behavior]
    case .gatttool: [.form, .secondary, .includes, .security, .advertisement, .behavior]
    case .bluetoothctl:
      [.genericAccess, .form, .endHandles, .includes, .security, .packets, .behavior]
    }
  }
}

/// Something about a device that a listing does not say.
package enum ListingGap: Hashable, Sendable, CaseIterable {
  case handles, endHandles, form, secondary, includes, genericAccess, properties, security
  case advertisement, packets, behavior

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
    case .security: "The security that an attribute requires is not known."
    case .advertisement: "The advertisement is not known."
    case .packets: "The packets of the advertisement are not known."
    case .behavior:
      "Answers and notifications are not known: write rules, or learn them from a recording with 'blemu learn'."
    }
  }
}

extension [DeviceListing] {
  /// What none of these listings of one device says.
  package var gaps: [ListingGap] {
    var gaps = Set(flatMap(\.format.gaps))
    if contains(where: { $0.table.characteristics.contains { $0.properties == nil } }) {
      gaps.insert(.properties)
    }
    return ListingGap.allCases.filter(gaps.contains)
  }
}
