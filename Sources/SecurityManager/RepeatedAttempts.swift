import Bluetooth
import Framing

/// How long a device waits before it pairs again with a peer that has failed to authenticate itself: the time doubles with each
/// failure (Core Specification, Vol 3 Part H 2.3.6).
///
/// Only failures by which an attacker could learn something count: a peer that does not pair as the device asks may ask again.
package struct RepeatedAttempts: Hashable, Sendable {
  /// How many failures cause no wait: a person may mistype a passkey.
  private var forgiven: Int
  /// After the first failure that is not forgiven.
  package let firstWait: Duration
  package let longestWait: Duration
  /// After the next failure; nil: the first one.
  private var nextWait: Duration?
  private var end = Instant(microseconds: .min)

  package init(forgiven: Int = 0, firstWait: Duration = .seconds(1), longestWait: Duration = .seconds(64)) {
    (self.forgiven, self.firstWait, self.longestWait) = (forgiven, firstWait, longestWait)
  }

  /// Whether the peer may not pair yet.
  package func isWaiting(at now: Instant) -> Bool { now < end }

  package mutating func failed(_ reason: PairingFailure, at now: Instant) {
    switch reason {
    case .passkeyEntryFailed, .confirmValueFailed, .dhKeyCheckFailed, .numericComparisonFailed:
      guard forgiven == 0 else { return forgiven -= 1 }
      let wait = nextWait ?? firstWait
      end = now.advanced(by: wait)
      nextWait = min(wait * 2, longestWait)
    default: break
    }
  }

  package mutating func succeeded() { (nextWait, end) = (nil, Instant(microseconds: .min)) }
}
