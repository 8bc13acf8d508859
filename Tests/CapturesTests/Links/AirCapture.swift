import Captures
import Framing
import TestSupport

/// A capture of packets on the air that a test has written by hand.
///
/// Each line is a packet: microseconds since the packet before it; `>` if the sniffer says that the central has sent it, `<` for the
/// peripheral, or `-`; the access address, the header and the payload, and no CRC. At the end `!` is for a wrong CRC, and `~` for a packet
/// that the sniffer has decrypted. Packet n is at n.
func airCapture(_ packets: [String], channel: UInt8? = nil) -> Capture {
  var (tracker, time) = (LinkTracker(format: "by hand"), Int64(0))
  for (number, line) in packets.enumerated() {
    let words = line.split(separator: " ")
    time += Int64(words[0])!
    var reception = LinkLayerReception()
    reception.sender = words[1] == ">" ? .central : words[1] == "<" ? .peripheral : nil
    (reception.hasRightCRC, reception.isDecrypted) = (!line.hasSuffix("!"), line.hasSuffix("~"))
    (reception.crcLength, reception.channel) = (0, channel)
    tracker.take(
      CapturedPacket(
        time: Instant(microseconds: time), layer: .linkLayer(reception),
        bytes: bytes(words.dropFirst(2).joined()), offset: number))
  }
  return tracker.finish()
}
