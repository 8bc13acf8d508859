/// The formats in which other programs note what they have seen of a device.
package enum ListingFormat: Hashable, Sendable, CaseIterable {
  case serverConfiguration, profile, gattackerServices, gattackerAdvertisement, advertisingProfiles, gatttool,
    bluetoothctl

  package var name: String {
    switch self {
    case .serverConfiguration: "a server configuration of nRF Connect"
    case .profile: "a profile of WHAD or BLESPloit"
    case .gattackerServices: "the services of GATTacker"
    case .gattackerAdvertisement: "the advertisement of GATTacker"
    case .advertisingProfiles: "the advertising profiles of BLESPloit"
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
    case .profile: [.includes, .interval, .emptyValues, .behavior]
    case .gattackerServices: [.secondary, .includes, .emptyValues, .security, .advertisement, .behavior]
    case .gattackerAdvertisement: [.advertisingType, .interval, .addressKind]
    case .advertisingProfiles: []
    case .gatttool: [.form, .secondary, .includes, .security, .advertisement, .behavior]
    case .bluetoothctl:
      [.genericAccess, .form, .endHandles, .includes, .security, .packets, .behavior]
    }
  }
}
