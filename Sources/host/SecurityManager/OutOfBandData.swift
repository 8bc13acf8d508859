/// What two devices have told each other by another way than Bluetooth (Core Specification, Vol 3 Part H 2.3.5.4, 2.3.5.6.4).
/// All values have 16 bytes, least significant first.
package struct OutOfBandData: Hashable, Sendable {
  /// The temporary key of LE legacy pairing, which both devices must have.
  package var temporaryKey: [UInt8]?
  /// What the peer has given, for LE Secure Connections.
  package var peer: Commitment?
  /// What this device has given.
  package var own: OwnCommitment?

  package init(temporaryKey: [UInt8]? = nil, peer: Commitment? = nil, own: OwnCommitment? = nil) {
    (self.temporaryKey, self.peer, self.own) = (temporaryKey, peer, own)
  }

  /// Whether this device has something of the peer: the OOB data flag.
  var isPresent: Bool { temporaryKey != nil || peer != nil }

  /// The confirm value of a public key, and the random value that it was computed with.
  package struct Commitment: Hashable, Sendable {
    package var confirm: [UInt8]
    package var random: [UInt8]

    package init(confirm: [UInt8], random: [UInt8]) { (self.confirm, self.random) = (confirm, random) }
  }
}
