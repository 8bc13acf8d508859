import Bluetooth
import Framing

/// An LE credit-based channel that centrals can open (Core Specification, Vol 3 Part A 3.4).
package struct ChannelDefinition: Sendable {
  /// The security that it can demand of a link, as the language names it.
  package static let securityLevels: [(name: String, level: LinkSecurity.Level)] = [
    ("none", .none), ("encrypt", .encrypted), ("encrypt-authenticated", .authenticated),
    ("secure", .secureConnections),
  ]
  /// What a device takes unless its definition says otherwise: an SDU in each K-frame, and each K-frame in one packet of the
  /// longest kind (Vol 6 Part B 2.4) with its L2CAP header.
  package static let standardTerms = ChannelTerms(mtu: 245, mps: 247, credits: 10)

  /// The name for rules and framing.
  package var id: String
  /// What centrals are offered.
  package var offer: ChannelOffer
  /// How its bytes become frames; nil: every SDU is a frame.
  package var framing: FramingRule?
  /// How a central joins what is sent here, if the definition gives both directions a framing of their own.
  package var outFraming: FramingRule?
  /// How the bytes of its SDUs are encoded; nil: they are not encoded.
  package var coding: StreamCoding?

  package init(id: String, _ offer: ChannelOffer) { (self.id, self.offer) = (id, offer) }

  /// How a central joins the SDUs sent here; nil if each is complete.
  package var sentFraming: FramingRule? { outFraming ?? (coding?.joinsAtPeer == true ? framing : nil) }
}
