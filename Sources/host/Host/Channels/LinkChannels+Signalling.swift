import Bluetooth
import Framing

// The peer's commands.
extension LinkChannels {
  /// Takes a command that concerns channels.
  ///
  /// - Parameter protection: how well the link is protected, and whether the peer can encrypt it.
  mutating func receive(
    _ packet: SignallingPacket, identifier: UInt8, _ protection: (LinkSecurity, hasKey: Bool), at now: Instant
  ) -> [Action] {
    switch packet {
    case .channelRequest(let spsm, let source, let terms):
      return answer(spsm, source, terms, identifier, protection)
    case .channelResponse(let answer): return conclude(answer, identifier, at: now)
    case .reject: return conclude(identifier, .notUnderstood)
    case .credit(let remote, let credits): return take(credits, of: remote, at: now)
    case .disconnectionRequest(let destination, let source): return close(destination, source, identifier)
    case .disconnectionResponse(let destination, let source):
      removeAll { $0.local == source && $0.remote == destination && $0.isClosing }
      return []
    default: return []
    }
  }

  /// Opens a channel that the peer asks for, or refuses it.
  private mutating func answer(
    _ spsm: UInt16, _ source: ChannelIdentifier, _ terms: ChannelTerms, _ identifier: UInt8,
    _ protection: (LinkSecurity, hasKey: Bool)
  ) -> [Action] {
    guard let offer = offers.first(where: { $0.spsm == spsm }) else {
      return [.respond(.channelResponse(.refusal(.unsupportedSPSM)), identifier: identifier)]
    }
    let problem =
      problem(with: source, terms, offer) ?? offer.refusal(on: protection.0, hasKey: protection.hasKey)
    guard problem == nil, let local = accept(offer, source, terms) else {
      let result = problem ?? .noResources
      return [
        .respond(.channelResponse(.refusal(result)), identifier: identifier),
        .tell(0, .denied(spsm: spsm, result)),
      ]
    }
    let answer = ChannelAnswer(destination: local, offer.terms, .success)
    return [
      .respond(.channelResponse(answer), identifier: identifier),
      .tell(local, .opened(spsm: spsm, mtu: Int(terms.mtu))),
    ]
  }

  /// A device has each of its channels once on a link.
  private func problem(
    with source: ChannelIdentifier, _ terms: ChannelTerms, _ offer: ChannelOffer
  ) -> ChannelResult? {
    if !Self.identifiers.contains(source) { return .invalidSourceCID }
    if isTaken(remote: source) { return .sourceCIDAlreadyAllocated }
    if !terms.isPossible { return .unacceptableParameters }
    return isOpen(offer.spsm) ? .noResources : nil
  }

  private mutating func conclude(_ answer: ChannelAnswer, _ identifier: UInt8, at now: Instant) -> [Action] {
    guard answer.result == ChannelResult.success.rawValue else {
      let result = ChannelResult(rawValue: answer.result)
      return conclude(identifier, result.map { .refused($0) } ?? .invalidAnswer)
    }
    guard let local = requested(identifier) else { return [] }
    guard Self.identifiers.contains(answer.destination), !isTaken(remote: answer.destination),
      answer.terms.isPossible
    else { return conclude(identifier, .invalidAnswer) }
    return opened(local, answer)
  }

  private mutating func conclude(_ identifier: UInt8, _ refusal: ChannelRefusal) -> [Action] {
    guard let local = requested(identifier) else { return [] }
    removeAll { $0.local == local }
    return [.tell(local, .refused(refusal))]
  }

  /// The peer has closed a channel. A request with another source is ignored (4.6).
  private mutating func close(
    _ destination: ChannelIdentifier, _ source: ChannelIdentifier, _ identifier: UInt8
  ) -> [Action] {
    guard let channel = channel(destination), channel.remote != 0 else {
      let reason = SignallingPacket.Reason.invalidChannel(local: destination, remote: source)
      return [.respond(.reject(reason), identifier: identifier)]
    }
    guard channel.remote == source else { return [] }
    removeAll { $0.local == destination }
    let response = Action.respond(
      .disconnectionResponse(destination: destination, source: source), identifier: identifier)
    return channel.isClosing
      ? [response] : [response, .tell(destination, .closed(.byPeer, unsent: channel.unsent))]
  }
}

extension CreditChannel {
  var isClosing: Bool { if case .closing = phase { true } else { false } }
}
