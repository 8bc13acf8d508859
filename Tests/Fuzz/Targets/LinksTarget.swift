import HCIPackets
import Bluetooth
import Captures
import Framing

extension FuzzTarget {
  /// Any bytes as the packets of a recording, of several hosts and of a sniffer: they are counted, and no device comes twice.
  static let links = FuzzTarget(
    name: "links",
    run: { bytes in
      let packets = packets(FuzzInput(bytes))
      let capture = follow(packets)
      try guarantee(
        capture.packetCount == packets.count, "\(capture.packetCount) of \(packets.count) packets")
      let addresses = capture.devices.compactMap(\.address)
      try guarantee(Set(addresses).count == addresses.count, "\(addresses)")
      try guarantee(follow(packets) == capture, "the same packets give another capture")
    },
    describe: { bytes in
      let packets = packets(FuzzInput(bytes))
      return (packets.map { "\($0)" } + ["\(follow(packets))"]).joined(separator: "\n")
    })

  private static func follow(_ packets: [CapturedPacket]) -> Capture {
    var tracker = LinkTracker(format: "fuzz")
    for packet in packets { tracker.take(packet) }
    return tracker.finish()
  }

  /// Each packet: its layer, the time since the one before it, its length, and bytes.
  private static func packets(_ input: FuzzInput) -> [CapturedPacket] {
    var (input, packets, time) = (input, [CapturedPacket](), Int64(0))
    while !input.isEmpty {
      let layer = layer(&input)
      let (head, waited) = (input.number(below: 16), input.number(below: 256))
      time &+= waited == 255 ? Int64.max / 8 : Int64(waited) * 10
      packets.append(
        CapturedPacket(
          time: Instant(microseconds: time / 2), layer: layer, bytes: input.bytes(input.number(below: 64)),
          omitted: head == 15 ? 1 : 0, offset: packets.count))
      if packets.count > 4000 { break }
    }
    return packets
  }

  private static func layer(_ input: inout FuzzInput) -> CapturedPacket.Layer {
    let kind = input.number(below: 64)
    if kind < 32 {
      let directions: [HCIDirection?] = [.toController, .toHost, nil, .toHost]
      return .hci(
        type: UInt8([1, 2, 4, 4, 2, 2, 4, 9][kind & 7]), adapter: kind >> 4, directions[kind >> 3 & 3])
    }
    var reception = LinkLayerReception()
    reception.sender = [nil, .central, .peripheral, nil][kind & 3]
    reception.hasRightCRC = kind & 4 == 0 ? true : nil
    reception.isDecrypted = kind & 8 != 0
    reception.crcLength = kind & 16 == 0 ? 0 : 3
    return .linkLayer(reception)
  }
}
