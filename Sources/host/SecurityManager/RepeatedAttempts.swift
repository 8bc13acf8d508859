import Bluetooth
import Framing

/// How long a device waits before it pairs again with a peer that has failed to authenticate itself: the time doubles with each
/// failure (Core Specification, Vol 3 Part H 2.3.6).
///
/// Only failures by which an attacker could learn something count: a peer that does not pair as the device asks may ask again.
package struct RepeatedAttempts: Hashable, Sendable {
  /// How many failures cause no wait: a person may mistype a passkey.
  private let allowance: Int
  /// How many more of them.
  private var forgiven: Int
  /// After the first failure that is not forgiven.
  package let firstWait: Duration
  package let longestWait: Duration
  /// After the next failure; nil: the first one.
  private var nextWait: Duration?
  private var end = Instant(microseconds: .min)

  package init(forgiven: Int = 0, firstWait: Duration = .seconds(1), longestWait: Duration = .seconds(64)) {
    (allowance, self.forgiven) = (forgiven, forgiven)
    (self.firstWait, self.longestWait) = (firstWait, longestWait)
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

  /// Begins anew.
  package mutating func succeeded() {
    self = Self(forgiven: allowance, firstWait: firstWait, longestWait: longestWait)
  }

  /// Whether a failure counts.
  var hasFailed: Bool { forgiven < allowance || nextWait != nil }
}

/// The attempts of the peers that have failed to authenticate themselves, by their identity addresses.
///
/// Whoever is near can fail from any number of addresses, so it keeps only the peers that failed last. That weakens nothing: an
/// attacker makes it forget an address by as many failures from others, and each of those addresses had an attempt without a wait
/// anyway. An honest peer that it forgets waits less.
package struct FailedPeers: Sendable {
  /// How many peers it keeps.
  package static let most = 64

  /// The peer that failed last is the last one.
  private var peers: [(address: LinkAddress, attempts: RepeatedAttempts)] = []

  package init() {}

  /// nil: the peer has not failed, or has been forgotten.
  package func attempts(of peer: LinkAddress) -> RepeatedAttempts? {
    peers.last { $0.address == peer }?.attempts
  }

  /// Takes note of a failure, or of a success after one.
  package mutating func keep(_ attempts: RepeatedAttempts, of peer: LinkAddress) {
    peers.removeAll { $0.address == peer }
    if attempts.hasFailed { peers = peers.suffix(Self.most - 1) + [(peer, attempts)] }
  }
}
