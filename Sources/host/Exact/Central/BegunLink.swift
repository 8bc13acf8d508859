import AttributeServer
import Bluetooth
import EventLoop
import Framing
import HCIPackets
import Host
import SecurityManager

/// A link that blemu's own host has begun, as its central.
@EventLoop
package final class BegunLink {
  private let handle: LinkHandle
  private let host: SharedHost
  private let attributes: HostChannel
  /// The credit-based channels that are open, and those that are being opened.
  private var channels: [ChannelIdentifier: BegunChannel] = [:]
  private var opening: [ChannelIdentifier: Promise<ChannelRefusal?>] = [:]
  private var ending: Promise<Void>?
  /// How long its end may take.
  private static let patience = Duration.seconds(5)

  /// Why it has ended; nil: it has not.
  package private(set) var end: HCIError?
  /// Why the last pairing or encryption has failed; nil: it has not, or not yet.
  package private(set) var failure: PairingFailure?
  /// Called once at the end.
  package var onEnd: (@EventLoop (HCIError) -> Void)?
  /// Called with what its Security Manager reports or asks.
  package var onSecurity: (@EventLoop (SecurityAction) -> Void)?

  init(_ link: HostLink, at host: SharedHost) {
    (handle, self.host) = (link.handle, host)
    attributes = HostChannel(link.handle, at: host)
    let secured = SecuredLink(
      role: .central, ownAddress: link.local, peerAddress: link.peer, identity: .init(address: link.local))
    let manager = SecurityManager(secured, policy: PairingPolicy(), random: SystemRandomNumberGenerator())
    host.change { $0.secure(link.handle, with: manager) }
  }

  /// The channel of ATT.
  package var channel: any PacketChannel { attributes }
  package var security: LinkSecurity { attributes.security }

  /// Lets the Security Manager do something: pair, encrypt, or take a person's answers.
  package func changeSecurity(_ body: (inout SecurityManager, Instant) -> [SecurityAction]) {
    failure = nil
    host.change { $0.changeSecurity(of: handle, body) }
  }

  /// Asks the device for a channel, and returns its answer.
  ///
  /// - Parameter terms: what this side takes.
  /// - Throws: ``ChannelRefusal``.
  package func openChannel(_ spsm: UInt16, _ terms: ChannelTerms) async throws(ChannelRefusal) -> BegunChannel
  {
    var identifier: ChannelIdentifier?
    host.change { identifier = $0.openChannel(spsm, terms, on: handle) }
    guard let identifier else { throw .noAnswer }
    let promise = Promise<ChannelRefusal?>()
    opening[identifier] = promise
    if let refusal = await promise.value() { throw refusal }
    guard let channel = channels[identifier] else { throw .noAnswer }
    return channel
  }

  /// Ends the link, and returns when it has ended.
  ///
  /// - Parameter reason: what the peer gets, of ``HCIError/reasonsToDisconnect``.
  package func disconnect(_ reason: HCIError) async {
    guard end == nil else { return }
    let promise = Promise<Void>()
    ending = promise
    host.change { $0.disconnect(handle, reason) }
    let limit = EventLoop.after(Self.patience) { promise.fulfil() }
    await promise.value()
    limit.cancel()
  }
}

// MARK: What happens to it

extension BegunLink: SeatedLink {
  func take(_ event: consuming HostEvent) {
    switch consume event {
    case .received(_, let packet): attributes.receive(packet)
    case .drained: attributes.drained()
    case .security(_, let action): take(action)
    case .channel(_, let channel, let event): take(event, in: channel)
    case .disconnected(_, let reason): ended(reason)
    default: break
    }
  }

  private func take(_ action: SecurityAction) {
    switch action {
    case .securityChanged(let security, _): attributes.security = security
    case .failed(let failure, _): self.failure = failure
    default: break
    }
    onSecurity?(action)
  }

  private func take(_ event: ChannelEvent, in identifier: ChannelIdentifier) {
    switch event {
    case .opened(_, let mtu):
      channels[identifier] = BegunChannel(HostSDUChannel(identifier, of: handle, mtu: mtu, at: host))
      opening.removeValue(forKey: identifier)?.fulfil(nil)
    case .refused(let refusal): opening.removeValue(forKey: identifier)?.fulfil(refusal)
    case .received(let sdu): channels[identifier]?.receive(sdu)
    case .closed(let end, _):
      guard let channel = channels.removeValue(forKey: identifier), end != .link else { return }
      channel.onClose?()
    case .denied, .drained: break
    }
  }

  func ended(_ reason: HCIError) {
    guard end == nil else { return }
    end = reason
    for promise in opening.values { promise.fulfil(.noAnswer) }
    (opening, channels) = ([:], [:])
    ending?.fulfil()
    onEnd?(reason)
    (onEnd, onSecurity) = (nil, nil)
  }
}

// MARK: Channels

/// A credit-based channel that a central on blemu's own host has opened.
@EventLoop
package final class BegunChannel {
  private let channel: HostSDUChannel
  /// Called with each SDU.
  package var onSDU: (@EventLoop ([UInt8]) -> Void)? { didSet { deliverEarly() } }
  /// Called once when the device, or the end of the link, has closed it.
  package var onClose: (@EventLoop () -> Void)?
  /// SDUs that have arrived before ``onSDU`` was set.
  private var early: [[UInt8]] = []

  fileprivate init(_ channel: HostSDUChannel) { self.channel = channel }

  /// Sends bytes in as many SDUs as the device's MTU needs.
  package func send(_ bytes: [UInt8]) {
    if bytes.isEmpty { channel.send([]) }
    for sdu in Chunker(bytes, size: channel.mtu) { channel.send(Array(sdu)) }
  }

  package func close() {
    onClose = nil
    channel.close()
  }

  fileprivate func receive(_ sdu: [UInt8]) {
    if let onSDU { onSDU(sdu) } else { early.append(sdu) }
  }

  private func deliverEarly() {
    guard let onSDU else { return }
    let sdus = early
    early = []
    for sdu in sdus { onSDU(sdu) }
  }
}
