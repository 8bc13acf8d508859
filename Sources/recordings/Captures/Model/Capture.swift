import Bluetooth
import Framing

/// A recording, taken apart: the devices in it with what they advertised and what was said on their links.
package struct Capture: Hashable, Sendable {
  /// Its format, as in `btsnoop (HCI, H4)`.
  package var format: String
  /// How many packets it has, those of no interest here included.
  package var packetCount = 0
  /// The time of its first packet; nil: it has none.
  package var start: Instant?
  package var end: Instant?
  /// The devices that advertised or had a link, in the order of their first packet.
  package var devices: [CapturedDevice] = []
  /// What a reader of the recording must know: damage, lost packets, encrypted links, Classic links.
  package var notes: [CaptureNote] = []

  package init(format: String) { self.format = format }
}

/// A peripheral of a recording.
package struct CapturedDevice: Hashable, Sendable {
  /// nil: its link began before the recording did.
  package var address: LinkAddress?
  package var advertisements: [CapturedAdvertisement] = []
  package var connections: [CapturedConnection] = []

  package init(address: LinkAddress?) { self.address = address }
}

/// A received advertising packet, or a scan response.
package struct CapturedAdvertisement: Hashable, Sendable {
  /// The PDU types of legacy advertising (Core Specification, Vol 6 Part B 2.3.1), and the properties of extended
  /// advertising.
  package enum Kind: Hashable, Sendable {
    case connectable, directed, scannable, nonConnectable, scanResponse
    case extended(isConnectable: Bool, isScannable: Bool, isDirected: Bool)
  }

  package var time: Instant
  package var kind: Kind
  /// The advertising data or scan response data; nil: the packet has none (directed advertising), or only its head was seen.
  package var data: [UInt8]?
  /// The number of its set, 0 to 15, of extended advertising.
  package var set: UInt8?
  /// dBm.
  package var rssi: Int8?
  /// The channel index, 37 to 39, if a sniffer heard it.
  package var channel: UInt8?
  /// The interval that the device's host gave its controller, if the recording was made there. Such a packet is in the recording
  /// once for each change, however often it was sent.
  package var interval: ClosedRange<AdvertisingInterval>?

  package init(time: Instant, kind: Kind, data: [UInt8]?) {
    (self.time, self.kind, self.data) = (time, kind, data)
  }
}

/// A link of a recording.
package struct CapturedConnection: Hashable, Sendable {
  package struct End: Hashable, Sendable {
    package var time: Instant
    /// As the end that ended it gave it to the other. ``HCIError/localHost``: the host of the recording did, and what it gave is
    /// not in the recording.
    package var reason: HCIError?
    /// Who ended it, as far as the reason tells.
    package var by: LinkRole?

    package init(time: Instant, reason: HCIError?, by: LinkRole?) {
      (self.time, self.reason, self.by) = (time, reason, by)
    }
  }

  package var central: LinkAddress?
  /// When the link was made; nil: before the recording began.
  package var start: Instant?
  /// nil: the recording ended first.
  package var end: End?
  package var events: [CapturedEvent] = []
  /// Whether the host of the device advertised when the link was made, and then told its controller to stop until the link ended.
  package var stopsAdvertising = false

  package init(central: LinkAddress?, start: Instant?) { (self.central, self.start) = (central, start) }
}

/// Something on a link.
package struct CapturedEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A whole ATT PDU.
    case attribute([UInt8], from: LinkRole)
    /// A whole PDU of the Security Manager (Vol 3 Part H 3.3).
    case security([UInt8], from: LinkRole)
    /// A whole signalling packet of LE L2CAP: code, identifier, length, data (Vol 3 Part A 4).
    case signalling([UInt8], from: LinkRole)
    /// The link has these parameters from now on.
    case parameters(ConnectionParameters)
    /// Whether the link is encrypted from now on.
    case encryption(Bool)
    /// Packets are missing or could not be joined here.
    case gap(String)
  }

  package var time: Instant
  package var kind: Kind

  package init(_ kind: Kind, at time: Instant) { (self.kind, self.time) = (kind, time) }
}

/// A remark about a recording.
package struct CaptureNote: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The file is cut off or damaged: what comes at this place was not read.
    case damage
    /// Packets are missing, cut, or wrong, and what was said in them is unknown.
    case loss
    /// The Link Layer is encrypted, so the rest of a link cannot be read.
    case encryption
    /// The recording has only one direction of a link.
    case oneDirection
    /// Something that the recording has and that is of no interest here, such as Classic links.
    case other
  }

  package let kind: Kind
  /// A sentence for a person, without the place and without control characters, which a name in the recording may have.
  package let text: String
  /// The place in the file, in bytes from its start (after decompression).
  package let offset: Int?

  package init(_ kind: Kind, _ text: String, offset: Int? = nil) {
    (self.kind, self.text, self.offset) = (kind, VisibleText.escape(text), offset)
  }
}
