import Bluetooth
import Framing
import HCIPackets

/// A packet as a recording has it, before its layers are taken apart.
package struct CapturedPacket: Hashable, Sendable {
  /// The bytes, by what they are.
  package enum Layer: Hashable, Sendable {
    /// Between a host and its controller: the type of the packet (0x01 command, 0x02 ACL data, 0x03 SCO data, 0x04 event,
    /// 0x05 ISO data; Core Specification, Vol 4 Part A 2), and the packet without it. The direction is nil in a format that does not
    /// tell it (link type 187): then the type of a command or an event tells, and that of data does not.
    case hci(type: UInt8, adapter: Int, HCIDirection?)
    /// On the air, from the access address on to the CRC (Vol 6 Part B 2.1).
    case linkLayer(LinkLayerReception)
    /// The recorder's note that an adapter has this address.
    case adapter(Int, DeviceAddress)
    /// A note of the recorder: `Note`, `Vendor Diagnostics`, the name of a process. It concerns no link.
    case remark
  }

  /// Since 1970, as far as the recorder's clock was right.
  package var time: Instant
  package var layer: Layer
  package var bytes: [UInt8]
  /// How many bytes the recorder left out at the end.
  package var omitted = 0
  /// Where the record begins in the file, bytes from its start (after decompression).
  package var offset: Int

  package init(time: Instant, layer: Layer, bytes: [UInt8], omitted: Int = 0, offset: Int) {
    (self.time, self.layer, self.bytes) = (time, layer, bytes)
    (self.omitted, self.offset) = (omitted, offset)
  }
}

/// What a sniffer knows about a packet besides its bytes.
package struct LinkLayerReception: Hashable, Sendable {
  /// 0 to 39: the channel index of the Link Layer; nil: the format does not tell.
  package var channel: UInt8?
  /// dBm.
  package var rssi: Int8?
  /// Who sent it on a connection, if the sniffer knows.
  package var sender: LinkRole?
  /// Whether the CRC was right; nil: the sniffer has not checked it.
  package var hasRightCRC: Bool?
  /// Whether the sniffer has decrypted it. It then has no MIC.
  package var isDecrypted = false
  /// The bytes after the payload that are CRC: 3, or 0 if the format leaves it out.
  package var crcLength = 3

  package init() {}
}

/// The two ends of a link.
package enum LinkRole: Hashable, Sendable {
  case central, peripheral

  package var other: Self { self == .central ? .peripheral : .central }
}
