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
  let handle: LinkHandle
  let seat: HostSeat
  /// The channels that are open, and those that are being opened.
  var channels: [ChannelIdentifier: BegunChannel] = [:]
  var opening: [ChannelIdentifier: Promise<ChannelRefusal?>] = [:]
  private let attributes: HostChannel
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

  init(_ link: HostLink, at seat: HostSeat) {
    (handle, self.seat) = (link.handle, seat)
    attributes = HostChannel(link.handle, seat)
    let secured = SecuredLink(
      role: .central, ownAddress: link.local, peerAddress: link.peer, identity: .init(address: link.local))
    let manager = SecurityManager(secured, policy: PairingPolicy(), random: SystemRandomNumberGenerator())
    seat.change { $0.secure(link.handle, with: manager) }
  }

  /// The channel of ATT.
  package var channel: any PacketChannel { attributes }
  package var security: LinkSecurity { attributes.security }

  /// Lets the Security Manager do something: pair, encrypt, or take a person's answers.
  package func changeSecurity(_ body: (inout SecurityManager, Instant) -> [SecurityAction]) {
    failure = nil
    seat.change { $0.changeSecurity(of: handle, body) }
  }

  /// Ends the link, and returns when it has ended.
  ///
  /// - Parameter reason: what the peer gets, of ``HCIError/reasonsToDisconnect``.
  package func disconnect(_ reason: HCIError) async {
    guard end == nil else { return }
    let promise = Promise<Void>()
    ending = promise
    seat.change { $0.disconnect(handle, reason) }
    let limit = EventLoop.after(Self.patience) { promise.fulfil() }
    await promise.value()
    limit.cancel()
  }
}

// MARK: What happens to it

extension BegunLink {
  func receive(_ packet: [UInt8]) { attributes.receive(packet) }

  func drained() { attributes.drained() }

  func take(_ action: SecurityAction) {
    switch action {
    case .securityChanged(let security): attributes.security = security
    case .failed(let failure, _): self.failure = failure
    default: break
    }
    onSecurity?(action)
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
