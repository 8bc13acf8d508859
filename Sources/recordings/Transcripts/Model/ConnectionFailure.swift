import Bluetooth

/// Why no central can connect to a device.
package enum ConnectionFailure: String, Hashable, CaseIterable, Sendable {
  /// It advertises, but accepts no connections.
  case notConnectable = "not-connectable"
  case notAdvertising = "not-advertising"

  /// nil: a central can connect.
  package init?(to advertisement: Advertisement?) {
    guard let advertisement else {
      self = .notAdvertising
      return
    }
    if advertisement.allSets.contains(where: \.isConnectable) { return nil }
    self = .notConnectable
  }

  package var sentence: String {
    switch self {
    case .notConnectable: "the device only advertises: no central can connect"
    case .notAdvertising: "the device is not advertising: no central can connect"
    }
  }
}
