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
