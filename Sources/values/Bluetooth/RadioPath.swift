/// How a device on a virtual radio is heard by all others, and hears them.
package struct RadioPath: Hashable, Sendable {
  /// The strength with which the others receive the device, dBm; nil: as usual.
  package var rssi: Int?
  /// How many of its packets are lost on the way, percent, 0...99. A link repeats them.
  package var loss = 0
  /// Whether anything arrives at all.
  package var isInRange = true

  package init() {}

  /// What RSSI may be: 127 says that it is not available (Core Specification, Vol 4 Part E 7.7.65.2).
  package static let strengths = -127...20
}
