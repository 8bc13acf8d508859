import Bluetooth

/// Why a central cannot connect to a device.
package enum ConnectionFailure: String, Hashable, CaseIterable, Sendable {
  /// It advertises, but accepts no connections.
  case notConnectable = "not-connectable"
  case notAdvertising = "not-advertising"
  /// It takes connections of other centrals only.
  case notAccepted = "not-accepted"

  /// nil: a central can connect.
  ///
  /// - Parameter isAccepted: whether the device answers this one.
  package init?(to advertisement: Advertisement?, isAccepted: Bool = true) {
    guard let advertisement else {
      self = .notAdvertising
      return
    }
    let isConnectable = advertisement.shownSets.contains(where: \.isConnectable)
    if isConnectable, isAccepted { return nil }
    self = isConnectable ? .notAccepted : .notConnectable
  }

  /// Whether this is what a transcript expects. A central that is not accepted finds a device that takes no connections.
  package func meets(_ expected: Self) -> Bool {
    self == expected || self == .notAccepted && expected == .notConnectable
  }

  package var sentence: String {
    switch self {
    case .notConnectable: "the device only advertises: no central can connect"
    case .notAccepted: "the device accepts other centrals only"
    case .notAdvertising: "the device is not advertising: no central can connect"
    }
  }
}
