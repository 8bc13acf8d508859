import Bluetooth
import Framing
import HCIPackets

@testable import Host

extension FuzzTarget {
  /// Any commands and K-frames of a peer, requests of the caller and time: each SDU fits the MTU, each K-frame the peer's MPS
  /// and credits, and a channel that has opened closes once.
  static let channel = FuzzTarget(
    name: "channel",
    run: { bytes in
      var harness = ChannelHarness(FuzzInput(bytes))
      try harness.run()
    },
    describe: { "\($0.count) bytes: commands and K-frames" })
}

private struct ChannelHarness {
  private static let terms = ChannelTerms(mtu: 40, mps: 25, credits: 3)

  private var input: FuzzInput
  private var channels = LinkChannels()
  private var now = Instant()
  private var identifier: UInt8 = 0
  private var open: Set<ChannelIdentifier> = []

  init(_ input: FuzzInput) {
    self.input = input
    channels.offers = [
      ChannelOffer(spsm: 0x80, Self.terms), ChannelOffer(spsm: 0x81, Self.terms, level: .encrypted),
    ]
  }

  mutating func run() throws {
    while let kind = input.byte() {
      switch kind {
      case UInt8(ascii: "o"):
        identifier = identifier == .max ? 1 : identifier + 1
        _ = channels.open(0x85, Self.terms, identifier: identifier, at: now)
      case UInt8(ascii: "c"):
        let channel = choose()
        try take(channels.close(channel, at: now))
      case UInt8(ascii: "s"):
        let sdu = input.bytes(min(input.number(below: 100), mtu))
        let channel = choose()
        channels.append(sdu, to: channel)
      case UInt8(ascii: "w"):
        now = now.advanced(by: .milliseconds(500 * input.number(below: 256)))
        try take(channels.expire(at: now))
        if let deadline = channels.deadline { try guarantee(deadline > now, "\(deadline) is over at \(now)") }
      case UInt8(ascii: "f"):
        let channel = choose()
        let frame = L2CAPFrame(channel: channel, payload: input.bytes(input.number(below: 64)))
        try take(channels.receive(frame, at: now))
      default: try command(input.bytes(input.number(below: 24)))
      }
      try sendFrames()
    }
    try take(channels.end())
    try guarantee(open.isEmpty, "\(open) have not closed")
  }

  private mutating func choose() -> ChannelIdentifier { 0x3E + ChannelIdentifier(input.number(below: 8)) }

  private var mtu: Int { channels.mtu(of: 0x40) ?? 0 }

  private mutating func command(_ frame: [UInt8]) throws {
    guard let (identifier, packet) = SignallingPacket.read(frame) else { return }
    try guarantee(packet.bytes(identifier) == frame, "\(packet) has other bytes than \(frame)")
    try take(channels.receive(packet, identifier: identifier, (.none, hasKey: false), at: now))
  }

  private mutating func sendFrames() throws {
    while channels.hasFrame {
      guard let frame = channels.takeFrame() else { throw BrokenGuarantee(description: "there is no frame") }
      try guarantee(LinkChannels.identifiers.contains(frame.channel), "\(frame) goes to no channel")
    }
    try guarantee(channels.takeFrame() == nil, "a frame goes without a credit")
  }

  private mutating func take(_ actions: [LinkChannels.Action]) throws {
    for case .tell(let channel, let event) in actions {
      switch event {
      case .opened: try guarantee(open.insert(channel).inserted, "\(channel) opens twice")
      case .closed: try guarantee(open.remove(channel) != nil, "\(channel) closes, and is not open")
      case .received(let sdu):
        try guarantee(open.contains(channel) && sdu.count <= 40, "\(channel) has received \(sdu)")
      case .refused, .denied, .drained: break
      }
    }
  }
}
