import Bluetooth

/// The response to a request of a central (Vol 3 Part F 3.3).
package enum Response: Hashable, Sendable {
  /// The write is done.
  case accepted
  /// The value that was read, from the requested offset on.
  case value([UInt8])
  /// An ATT error.
  case refused(ATTError)

  /// The ATT error; nil if the request was granted.
  package var error: ATTError? {
    if case .refused(let error) = self { error } else { nil }
  }
}
