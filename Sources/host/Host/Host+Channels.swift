import Bluetooth
import HCIPackets

// Credit-based channels. After each call, the caller calls ``advance(to:)``.
extension Host {
  /// Lets the peer of a link open these channels, each of them once at a time. Without this, every channel is refused. To be
  /// called at ``HostEvent/connected(_:)``.
  package mutating func offer(_ offers: [ChannelOffer], on handle: LinkHandle) {
    changeLink(handle) { $0.channels.offers = offers }
  }

  /// Asks the peer for a channel. The answer is ``ChannelEvent/opened(spsm:mtu:)`` or ``ChannelEvent/refused(_:)``.
  ///
  /// - Parameter terms: what this side takes.
  /// - Returns: the channel; nil: the link has ended, or has 64 channels.
  package mutating func openChannel(
    _ spsm: UInt16, _ terms: ChannelTerms, on handle: LinkHandle
  ) -> ChannelIdentifier? {
    let now = now
    let opening = changeLink(handle) { link -> (ChannelIdentifier, [UInt8])? in
      guard !link.isEnding else { return nil }
      let identifier = link.signalling.nextIdentifier()
      return link.channels.open(spsm, terms, identifier: identifier, at: now).map {
        ($0, $1.bytes(identifier))
      }
    }
    guard let (channel, request) = opening ?? nil else { return nil }
    signal(request, on: handle)
    return channel
  }

  /// Closes an open channel. SDUs that wait are dropped, which ``ChannelEvent/closed(_:unsent:)`` reports.
  package mutating func closeChannel(_ channel: ChannelIdentifier, on handle: LinkHandle) {
    let now = now
    perform(changeLink(handle) { $0.channels.close(channel, at: now) } ?? [], on: handle)
  }

  /// Sends an SDU of at most ``maximumSDU(in:on:)`` bytes, or lets it wait for credits and for the controller.
  package mutating func send(_ sdu: [UInt8], in channel: ChannelIdentifier, on handle: LinkHandle) {
    changeLink(handle) { $0.channels.append(sdu, to: channel) }
    sendParts()
    changeLink(handle) { $0.channels.noteCongestion(of: channel) }
    tellDrained()
  }

  /// The most bytes of an SDU that the peer takes; nil: the channel is not open.
  package func maximumSDU(in channel: ChannelIdentifier, on handle: LinkHandle) -> Int? {
    links[handle]?.channels.mtu(of: channel)
  }

  /// Whether SDUs wait for credits or for the controller.
  package func isCongested(_ channel: ChannelIdentifier, on handle: LinkHandle) -> Bool {
    links[handle]?.channels.isCongested(channel) ?? false
  }
}

// MARK: What comes from the peer

extension Host {
  mutating func receiveInChannel(_ frame: L2CAPFrame, on handle: LinkHandle) {
    let now = now
    perform(changeLink(handle) { $0.channels.receive(frame, at: now) } ?? [], on: handle)
  }

  mutating func receive(_ packet: SignallingPacket, _ identifier: UInt8, on handle: LinkHandle) {
    let (now, manager) = (now, securityManagers[handle])
    let protection = (manager?.security ?? .none, hasKey: manager?.keys.isEmpty == false)
    let actions = changeLink(handle) {
      $0.channels.receive(packet, identifier: identifier, protection, at: now)
    }
    perform(actions ?? [], on: handle)
    guard case .credit = packet else { return }
    sendParts()
    tellDrained()
  }

  mutating func perform(_ actions: [LinkChannels.Action], on handle: LinkHandle) {
    for action in actions {
      switch action {
      case .command(let packet):
        if let identifier = changeLink(handle, { $0.signalling.nextIdentifier() }) {
          signal(packet.bytes(identifier), on: handle)
        }
      case .respond(let packet, let identifier): signal(packet.bytes(identifier), on: handle)
      case .tell(let channel, let event): tell(.channel(handle, channel, event))
      }
    }
  }
}
