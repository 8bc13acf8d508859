import Bluetooth
import Framing
import HCIPackets
import SecurityManager
import TestSupport
import Testing

@testable import Host

/// The channels of one link, with a peer that sends what it likes.
@Suite struct ChannelRulesTests {
  /// An MTU of 30 bytes, an MPS of 25, and two credits
  private static let terms = ChannelTerms(mtu: 30, mps: 25, credits: 2)
  private static let peerTerms = ChannelTerms(mtu: 100, mps: 23, credits: 1)
  private static let open = (LinkSecurity.none, hasKey: false)

  private static func channels(_ offer: ChannelOffer = ChannelOffer(spsm: 0x80, terms)) -> LinkChannels {
    var channels = LinkChannels()
    channels.offers = [offer]
    return channels
  }

  private static func request(
    _ source: UInt16 = 0x50, spsm: UInt16 = 0x80, _ terms: ChannelTerms = peerTerms
  ) -> SignallingPacket { .channelRequest(spsm: spsm, source: source, terms) }

  /// With a channel that the peer has opened: 0x0040, and 0x0050 for the peer.
  private static func opened() -> LinkChannels {
    var channels = channels()
    _ = channels.receive(request(), identifier: 3, open, at: Instant())
    return channels
  }

  private static func frame(_ text: String) -> L2CAPFrame { L2CAPFrame(channel: 0x40, payload: bytes(text)) }

  private static func results(_ actions: [LinkChannels.Action]) -> [UInt16] {
    actions.compactMap {
      if case .respond(.channelResponse(let answer), _) = $0 { answer.result } else { nil }
    }
  }

  @Test func `a peer opens a channel`() {
    var channels = Self.channels()
    let answer = ChannelAnswer(destination: 0x40, Self.terms, .success)
    #expect(
      channels.receive(Self.request(), identifier: 3, Self.open, at: Instant()) == [
        .respond(.channelResponse(answer), identifier: 3), .tell(0x40, .opened(spsm: 0x80, mtu: 100)),
      ])
    #expect(channels.mtu(of: 0x40) == 100)
  }

  @Test(arguments: [
    (request(spsm: 0x81), ChannelResult.unsupportedSPSM), (request(0x3F), .invalidSourceCID),
    (request(0x80), .invalidSourceCID),
    (request(0x50, ChannelTerms(mtu: 22, mps: 23, credits: 0)), .unacceptableParameters),
    (request(0x50, ChannelTerms(mtu: 23, mps: 22, credits: 0)), .unacceptableParameters),
    (request(0x50, ChannelTerms(mtu: 23, mps: 65_534, credits: 0)), .unacceptableParameters),
  ])
  func `a request that cannot be met is refused`(request: SignallingPacket, result: ChannelResult) {
    var channels = Self.channels()
    let actions = channels.receive(request, identifier: 3, Self.open, at: Instant())
    #expect(Self.results(actions) == [result.rawValue])
    // Nobody is told of a channel that there is not.
    #expect(actions.count == (result == .unsupportedSPSM ? 1 : 2))
    #expect(channels.mtu(of: 0x40) == nil)
  }

  @Test func `a peer has each channel once, and each of its identifiers`() {
    var channels = Self.opened()
    channels.offers.append(ChannelOffer(spsm: 0x81, Self.terms))
    #expect(
      Self.results(channels.receive(Self.request(0x51), identifier: 4, Self.open, at: Instant())) == [
        ChannelResult.noResources.rawValue
      ])
    let other = Self.request(0x50, spsm: 0x81)
    #expect(
      Self.results(channels.receive(other, identifier: 5, Self.open, at: Instant())) == [
        ChannelResult.sourceCIDAlreadyAllocated.rawValue
      ])
  }

  @Test(arguments: [
    (LinkSecurity.none, false, ChannelResult.insufficientAuthentication),
    (.none, true, .insufficientEncryption),
    (LinkSecurity(.authenticated, keySize: 7), true, .encryptionKeySizeTooShort),
    (.encrypted, true, .insufficientAuthentication), (.authenticated, true, .success),
    (.secureConnections, true, .success),
  ])
  func `a channel demands a link that is protected`(
    security: LinkSecurity, hasKey: Bool, result: ChannelResult
  ) {
    var channels = Self.channels(ChannelOffer(spsm: 0x80, Self.terms, level: .authenticated, keySize: 16))
    let actions = channels.receive(
      Self.request(), identifier: 3, (security, hasKey: hasKey), at: Instant())
    #expect(Self.results(actions) == [result.rawValue])
  }

  @Test func `K-frames become SDUs, and their credits go back`() {
    var channels = Self.opened()
    #expect(
      channels.receive(Self.frame("03 00 41 42"), at: Instant()) == [.command(.credit(channel: 0x40, 1))])
    #expect(
      channels.receive(Self.frame("43"), at: Instant()) == [
        .tell(0x40, .received(bytes("41 42 43"))), .command(.credit(channel: 0x40, 1)),
      ])
    #expect(channels.receive(Self.frame("00 00"), at: Instant()).first == .tell(0x40, .received([])))
  }

  /// Each breaks a rule: no length; an SDU of 31 bytes; a frame of 26 bytes; 3 bytes of an SDU of 2
  @Test(arguments: [
    ("41", ChannelViolation.noLength), ("1F 00 41", .sduTooLong),
    ("1E 00" + String(repeating: " 41", count: 24), .frameTooLong), ("02 00 41 42 43", .tooManyBytes),
  ])
  func `a peer that breaks a rule loses the channel`(payload: String, violation: ChannelViolation) {
    var channels = Self.opened()
    #expect(
      channels.receive(Self.frame(payload), at: Instant()) == [
        .command(.disconnectionRequest(destination: 0x50, source: 0x40)),
        .tell(0x40, .closed(.violation(violation), unsent: 0)),
      ])
    #expect(channels.receive(Self.frame("01 00 41"), at: Instant()) == [])
  }

  @Test func `a second frame with too many bytes breaks a rule`() {
    var channels = Self.opened()
    _ = channels.receive(Self.frame("03 00 41 42"), at: Instant())
    let actions = channels.receive(Self.frame("43 44"), at: Instant())
    #expect(actions.last == .tell(0x40, .closed(.violation(.tooManyBytes), unsent: 0)))
  }

  @Test func `a frame without a credit breaks a rule`() throws {
    var channel = CreditChannel(spsm: 0x80, local: 0x40, Self.terms, .open)
    for _ in 0..<2 { _ = try channel.receive(bytes("01 00 41")) }
    #expect(throws: ChannelViolation.noCredit) { try channel.receive(bytes("01 00 41")) }
    #expect(channel.takeCredits() == 2)
    #expect(channel.takeCredits() == nil)
    #expect(try channel.receive(bytes("01 00 41")) == bytes("41"))
  }

  @Test func `a peer may have 65,535 credits of this side, and no more`() {
    var channels = Self.opened()
    #expect(channels.take(65_534, of: 0x50, at: Instant()) == [])
    #expect(
      channels.take(1, of: 0x50, at: Instant()).last
        == .tell(
          0x40, .closed(.violation(.tooManyCredits), unsent: 0)))
    #expect(channels.take(1, of: 0x77, at: Instant()) == [])  // of no channel
  }

  @Test func `an SDU is cut into K-frames, each for a credit`() {
    var channels = Self.opened()
    channels.append([UInt8](0..<30), to: 0x40)
    channels.noteCongestion(of: 0x40)
    let first = channels.takeFrame()
    #expect(first == L2CAPFrame(channel: 0x50, payload: [30, 0] + (0..<21)))
    #expect(channels.takeFrame() == nil && !channels.hasFrame && channels.isCongested(0x40))
    #expect(channels.takeDrained() == [])
    #expect(channels.take(5, of: 0x50, at: Instant()) == [])
    #expect(channels.takeFrame()?.payload == [UInt8](21..<30))
    #expect(channels.takeFrame() == nil)
    #expect(channels.takeDrained() == [0x40])
    #expect(channels.takeDrained() == [])
  }

  @Test func `a peer closes a channel, and the bytes that still wait are counted`() {
    var channels = Self.opened()
    channels.append([UInt8](0..<30), to: 0x40)
    _ = channels.takeFrame()
    let wrong = SignallingPacket.disconnectionRequest(destination: 0x40, source: 0x51)
    #expect(channels.receive(wrong, identifier: 8, Self.open, at: Instant()) == [])
    let request = SignallingPacket.disconnectionRequest(destination: 0x40, source: 0x50)
    #expect(
      channels.receive(request, identifier: 8, Self.open, at: Instant()) == [
        .respond(.disconnectionResponse(destination: 0x40, source: 0x50), identifier: 8),
        .tell(0x40, .closed(.byPeer, unsent: 9)),
      ])
    #expect(
      channels.receive(request, identifier: 9, Self.open, at: Instant()) == [
        .respond(.reject(.invalidChannel(local: 0x40, remote: 0x50)), identifier: 9)
      ])
  }

  @Test(arguments: [true, false])
  func `this side closes a channel, whose identifier is free after the response or 30 s`(answers: Bool) {
    var channels = Self.opened()
    #expect(
      channels.close(0x40, at: Instant()) == [
        .command(.disconnectionRequest(destination: 0x50, source: 0x40)),
        .tell(0x40, .closed(.byThisSide, unsent: 0)),
      ])
    #expect(channels.close(0x40, at: Instant()) == [])
    let again = channels.receive(Self.request(0x51), identifier: 4, Self.open, at: Instant())
    #expect(again.last == .tell(0x41, .opened(spsm: 0x80, mtu: 100)))
    if answers {
      let response = SignallingPacket.disconnectionResponse(destination: 0x50, source: 0x40)
      #expect(channels.receive(response, identifier: 1, Self.open, at: Instant()) == [])
    } else {
      #expect(channels.deadline == .milliseconds(30_000))
      #expect(channels.expire(at: .milliseconds(30_000)) == [])
    }
    #expect(channels.deadline == nil && channels.channel(0x40) == nil)
  }
}

// MARK: Opening

extension ChannelRulesTests {
  private static func asking() -> LinkChannels {
    var channels = LinkChannels()
    let opening = channels.open(0x85, terms, identifier: 9, at: Instant())
    #expect(opening?.0 == 0x40)
    #expect(opening?.1 == .channelRequest(spsm: 0x85, source: 0x40, terms))
    return channels
  }

  @Test(arguments: [
    (SignallingPacket.reject(.notUnderstood), ChannelEvent.refused(.notUnderstood)),
    (.channelResponse(.refusal(.insufficientEncryption)), .refused(.refused(.insufficientEncryption))),
    (
      .channelResponse(ChannelAnswer(destination: 0, peerTerms, result: 0x1234)), .refused(.invalidAnswer)
    ),
    (.channelResponse(ChannelAnswer(destination: 0x3F, peerTerms, .success)), .refused(.invalidAnswer)),
    (
      .channelResponse(
        ChannelAnswer(destination: 0x50, ChannelTerms(mtu: 22, mps: 23, credits: 1), .success)),
      .refused(.invalidAnswer)
    ),
    (.channelResponse(ChannelAnswer(destination: 0x50, peerTerms, .success)), .opened(spsm: 0x85, mtu: 100)),
  ])
  func `this side asks, and learns what the peer does`(answer: SignallingPacket, event: ChannelEvent) {
    var channels = Self.asking()
    #expect(channels.receive(answer, identifier: 8, Self.open, at: Instant()) == [])  // of another request
    #expect(channels.receive(answer, identifier: 9, Self.open, at: Instant()) == [.tell(0x40, event)])
    #expect(channels.receive(answer, identifier: 9, Self.open, at: Instant()) == [])
  }

  @Test func `a peer that does not answer has refused`() {
    var channels = Self.asking()
    #expect(channels.expire(at: .milliseconds(29_999)) == [])
    #expect(channels.expire(at: .milliseconds(30_000)) == [.tell(0x40, .refused(.noAnswer))])
  }

  @Test func `a link has 64 channels, and closes them all when it ends`() {
    var channels = LinkChannels()
    for number in 0..<64 {
      #expect(channels.open(0x85, Self.terms, identifier: UInt8(number + 1), at: Instant()) != nil)
    }
    #expect(channels.open(0x85, Self.terms, identifier: 65, at: Instant()) == nil)
    let answer = ChannelAnswer(destination: 0x50, Self.peerTerms, .success)
    _ = channels.receive(.channelResponse(answer), identifier: 1, Self.open, at: Instant())
    channels.append([1, 2, 3], to: 0x40)
    let actions = channels.end()
    #expect(actions.first == .tell(0x40, .closed(.link, unsent: 3)))
    #expect(actions.count == 64 && channels.end() == [])
  }
}
