import Bluetooth
import Framing
import HCIPackets

/// The credit-based channels of one link (Core Specification, Vol 3 Part A 4.6 and 4.22 to 4.24).
struct LinkChannels: Hashable {
  /// What the host does next.
  enum Action: Hashable {
    /// Sends a command with the next identifier.
    case command(SignallingPacket)
    case respond(SignallingPacket, identifier: UInt8)
    case tell(ChannelIdentifier, ChannelEvent)
  }

  /// The dynamic channels of LE (2.1).
  static let identifiers: ClosedRange<ChannelIdentifier> = 0x0040...0x007F
  /// How long a peer may take to answer (RTX, 6.2.1): 1 to 60 s.
  private static let patience = Duration.seconds(30)

  /// Which channels the peer may open.
  var offers: [ChannelOffer] = []
  private var all: [CreditChannel] = []
  /// The index of the channel whose turn is next.
  private var turn = 0

  var isEmpty: Bool { all.isEmpty }

  /// When ``expire(at:)`` is due.
  var deadline: Instant? { all.isEmpty ? nil : all.compactMap(\.end).min() }

  private func index(of local: ChannelIdentifier) -> Int? { all.firstIndex { $0.local == local } }

  private func index(ofRemote remote: ChannelIdentifier) -> Int? {
    all.firstIndex { $0.remote == remote && $0.phase == .open }
  }

  private var freeIdentifier: ChannelIdentifier? { Self.identifiers.first { index(of: $0) == nil } }

  /// The most bytes of an SDU that the peer takes; nil: the channel is not open.
  func mtu(of local: ChannelIdentifier) -> Int? {
    index(of: local).flatMap { all[$0].phase == .open ? all[$0].mtu : nil }
  }

  func isCongested(_ local: ChannelIdentifier) -> Bool {
    index(of: local).map { all[$0].isCongested } ?? false
  }
}

extension CreditChannel {
  fileprivate var end: Instant? {
    switch phase {
    case .requested(_, let end), .closing(let end): end
    case .open: nil
    }
  }
}

// MARK: Looking up and changing

extension LinkChannels {
  func channel(_ local: ChannelIdentifier) -> CreditChannel? { index(of: local).map { all[$0] } }

  /// Whether the peer uses an identifier of its own for a channel.
  func isTaken(remote: ChannelIdentifier) -> Bool { all.contains { $0.remote == remote } }

  func isOpen(_ spsm: UInt16) -> Bool { all.contains { $0.spsm == spsm && $0.phase == .open } }

  /// The channel that waits for the response to a request.
  func requested(_ identifier: UInt8) -> ChannelIdentifier? {
    all.first { if case .requested(identifier, _) = $0.phase { true } else { false } }?.local
  }

  mutating func removeAll(where isOver: (CreditChannel) -> Bool) { all.removeAll(where: isOver) }

  /// - Returns: the new channel; nil: all 64 are in use.
  mutating func accept(
    _ offer: ChannelOffer, _ source: ChannelIdentifier, _ terms: ChannelTerms
  ) -> ChannelIdentifier? {
    guard let local = freeIdentifier else { return nil }
    var channel = CreditChannel(spsm: offer.spsm, local: local, offer.terms, .open)
    channel.open(source, terms)
    all.append(channel)
    return local
  }

  mutating func opened(_ local: ChannelIdentifier, _ answer: ChannelAnswer) -> [Action] {
    guard let index = index(of: local) else { return [] }
    all[index].open(answer.destination, answer.terms)
    return [.tell(local, .opened(spsm: all[index].spsm, mtu: all[index].mtu))]
  }

  /// The peer takes more K-frames. Credits for a channel that is not open are ignored.
  mutating func take(_ credits: UInt16, of remote: ChannelIdentifier, at now: Instant) -> [Action] {
    guard let index = index(ofRemote: remote) else { return [] }
    do throws(ChannelViolation) {
      try all[index].add(credits)
      return []
    } catch { return close(all[index].local, .violation(error), at: now) }
  }
}

// MARK: What this side does

extension LinkChannels {
  /// Asks for a channel.
  ///
  /// - Parameter identifier: of the request.
  /// - Returns: the channel, and the request; nil: all 64 channels are in use.
  mutating func open(
    _ spsm: UInt16, _ terms: ChannelTerms, identifier: UInt8, at now: Instant
  ) -> (ChannelIdentifier, SignallingPacket)? {
    guard let local = freeIdentifier else { return nil }
    let end = now.advanced(by: Self.patience)
    all.append(CreditChannel(spsm: spsm, local: local, terms, .requested(identifier: identifier, end: end)))
    return (local, .channelRequest(spsm: spsm, source: local, terms))
  }

  /// Closes an open channel. SDUs that wait are dropped.
  mutating func close(_ local: ChannelIdentifier, _ reason: ChannelEnd = .byThisSide, at now: Instant)
    -> [Action]
  {
    guard let index = index(of: local), all[index].phase == .open else { return [] }
    all[index].phase = .closing(end: now.advanced(by: Self.patience))
    return [
      .command(.disconnectionRequest(destination: all[index].remote, source: local)),
      .tell(local, .closed(reason, unsent: all[index].unsent)),
    ]
  }

  /// The link has ended.
  mutating func end() -> [Action] {
    defer { all = [] }
    return all.compactMap { channel in
      switch channel.phase {
      case .open: .tell(channel.local, .closed(.link, unsent: channel.unsent))
      case .requested: .tell(channel.local, .refused(.noAnswer))
      case .closing: nil
      }
    }
  }

  /// Gives up what the peer has not answered.
  mutating func expire(at now: Instant) -> [Action] {
    let over = all.filter { $0.end.map { $0 <= now } ?? false }
    all.removeAll { $0.end.map { $0 <= now } ?? false }
    return over.compactMap { channel in
      if case .requested = channel.phase { .tell(channel.local, .refused(.noAnswer)) } else { nil }
    }
  }
}

// MARK: SDUs

extension LinkChannels {
  /// Lets an SDU wait for its turn.
  mutating func append(_ sdu: [UInt8], to local: ChannelIdentifier) {
    guard let index = index(of: local), all[index].phase == .open else { return }
    all[index].append(sdu)
  }

  /// Notes whether SDUs wait, after what could go has gone.
  mutating func noteCongestion(of local: ChannelIdentifier) {
    if let index = index(of: local) { all[index].isCongested = !all[index].isDrained }
  }

  /// Whether a K-frame may go now.
  var hasFrame: Bool { !all.isEmpty && all.contains(where: \.hasFrame) }

  /// The K-frame of the channel whose turn it is.
  mutating func takeFrame() -> L2CAPFrame? {
    for offset in 0..<all.count {
      let index = (turn + offset) % all.count
      if let payload = all[index].takeFrame() {
        turn = index + 1
        return L2CAPFrame(channel: all[index].remote, payload: payload)
      }
    }
    return nil
  }

  /// The channels whose SDUs have waited, and wait no longer.
  mutating func takeDrained() -> [ChannelIdentifier] {
    var drained: [ChannelIdentifier] = []
    for index in all.indices where all[index].isCongested && all[index].isDrained {
      all[index].isCongested = false
      drained.append(all[index].local)
    }
    return drained
  }

  /// Takes a K-frame. One for a channel that is not open is ignored.
  mutating func receive(_ frame: L2CAPFrame, at now: Instant) -> [Action] {
    guard let index = index(of: frame.channel), all[index].phase == .open else { return [] }
    let channel = all[index]
    do throws(ChannelViolation) {
      var actions: [Action] = []
      if let sdu = try all[index].receive(frame.payload) {
        actions.append(.tell(channel.local, .received(sdu)))
      }
      if let credits = all[index].takeCredits() {
        actions.append(.command(.credit(channel: channel.local, credits)))
      }
      return actions
    } catch { return close(channel.local, .violation(error), at: now) }
  }
}
