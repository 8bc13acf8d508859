/// Why a link has ended (bluez: doc/mgmt-api.txt, Device Disconnected).
package enum DisconnectReason: UInt8, Hashable, Sendable {
  case unspecified = 0
  case timeout = 1
  case localHost = 2
  case remote = 3
  case authenticationFailure = 4
  /// This machine goes to sleep.
  case suspended = 5
}

extension DisconnectReason {
  /// A reason that a newer kernel defines is unspecified here.
  init(reading fields: inout FieldReader) throws(MalformedFields) {
    self = Self(rawValue: try fields.number()) ?? .unspecified
  }
}
