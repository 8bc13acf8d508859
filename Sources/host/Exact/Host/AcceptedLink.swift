import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import HCIPackets
import Host
import Peripheral
import SecurityManager

/// A link that a central has begun, as the device serves it.
@EventLoop
final class AcceptedLink {
  /// The central's identity address, if it is bonded and uses a private address; otherwise the address that it uses.
  let peer: LinkAddress
  /// What the device calls the central.
  let central: Central
  private let link: HostLink
  private let host: SharedHost
  private let server: GATTServer
  private weak var transport: HostTransport?
  private let attributes: HostChannel
  /// nil: the device does not know of the link yet.
  private var served: ServedLink?
  /// What is to happen later.
  private var timers: [EventLoop.Timer] = []
  /// The answer of somebody at the device, which the pairing waits for.
  private var awaitedAnswer: AnyObject?
  /// The numbers of the credit-based channels that the central has opened.
  private var channels: [ChannelIdentifier: Int] = [:]
  /// When the controller is asked for the signal: it needs some packets to measure.
  private static let measuring = Duration.seconds(1)

  /// - Parameter others: the other links of the device.
  init(
    _ link: HostLink, at host: SharedHost, _ server: GATTServer, of transport: HostTransport,
    beside others: [AcceptedLink]
  ) {
    (self.link, self.host, self.server, self.transport) = (link, host, server, transport)
    let peer = server.identity(of: link.peer)
    self.peer = peer
    central = peer.address.distinct(from: others.filter { $0.peer != peer }.map(\.central))
    attributes = HostChannel(link.handle, at: host)
  }

  var handle: LinkHandle { link.handle }

  /// Begins to report the link and what the central does.
  func serve() {
    let served = server.connected(
      peer, as: central, on: attributes,
      LinkDescription(
        addressKind: link.peer.kind, privateAddress: peer == link.peer ? nil : link.peer.address,
        parameters: link.parameters))
    self.served = served
    guard server[central] === served else { return }
    let offers = server.device?.definition.channels.map(\.offer) ?? []
    if !offers.isEmpty { host.change { $0.offer(offers, on: handle) } }
    if let delay = server.device?.definition.link.askAfter { after(delay) { $0.askForParameters() } }
    if server.host?.isLogging == true {
      after(Self.measuring) { link in link.host.change { $0.measure(link.handle) } }
    }
  }

  /// Does something later, unless the link has ended.
  private func after(_ delay: Duration, _ body: @escaping @EventLoop (AcceptedLink) -> Void) {
    timers.append(
      EventLoop.after(delay) { [weak self] in
        if let self { body(self) }
      })
  }

  private func askForParameters() {
    guard let preferred = server.device?.definition.link.preferred,
      let parameters = host.ask({ $0.link(handle)?.parameters }) ?? nil, !preferred.contains(parameters)
    else { return }
    host.change { $0.ask(for: preferred, on: handle) }
  }

  func ask(for change: LinkChange) { host.change { $0.ask(for: change, on: handle) } }

  func disconnect(_ reason: HCIError) {
    server.recorder?.ends(central, reason)
    host.change { $0.disconnect(handle, reason) }
  }

  /// - Parameter reason: nil: the controller has gone.
  func ended(_ reason: HCIError?) {
    (timers, awaitedAnswer) = ([], nil)
    transport?.forget(self)
    if let served { server.ended(served, reason) }
  }
}

// MARK: Events

extension AcceptedLink: SeatedLink {
  func take(_ event: consuming HostEvent) {
    switch consume event {
    case .received(_, let packet): attributes.receive(packet)
    case .drained: attributes.drained()
    case .disconnected(_, let reason): ended(reason)
    case .givenUp(_, let fault): server.host?.warn("\(central) \(fault.words); disconnecting it")
    case .changed(_, let change): server.linkChanged(central, change)
    case .measured(_, let change): server.measured(central, change)
    case .asked(_, let request): answer(request)
    case .parametersRefused(_, let refusal): server.parametersRefused(by: central, refusal)
    case .channel(_, let channel, let event): take(event, in: channel)
    case .security(_, let action): take(action)
    case .started, .failed, .connected, .radio, .heard: break
    }
  }

  /// Answers what the central asks, as a fault has it.
  private func answer(_ request: PeerRequest) {
    let answer = PeerAnswer(server.host?.fault(in: LinkRequest(request), of: central))
    if case .pairing = request {
      let (strengths, hasNoRoom) = (server.strengths(besides: central), server.isFull(for: peer))
      changeManager { ($0.strengths, $0.hasNoRoom) = (strengths, hasNoRoom) }
    }
    host.change { $0.answer(request, on: handle, answer) }
  }
}

extension PairingPolicy {
  /// Somebody at the device enters the passkey, as faults have it.
  fileprivate var askingForPasskey: PairingPolicy {
    var policy = self
    policy.asksForPasskey = true
    return policy
  }
}

extension LinkRequest {
  fileprivate init(_ request: PeerRequest) {
    self =
      switch request {
      case .parameters: .parameters
      case .pairing: .pairing
      case .encryption: .encryption
      }
  }
}

extension PeerAnswer {
  fileprivate init(_ fault: LinkFault?) {
    self =
      switch fault {
      case nil: .asUsual
      case .refusal: .refusal
      case .silence: .silence
      case .pairing(let fault): .fault(fault)
      case .person: .asUsual  // a central asks no person
      }
  }
}

extension PeerFault {
  fileprivate var words: String {
    switch self {
    case .acknowledgesNothing: "has acknowledged nothing for 45 s"
    case .takesNoAnswers: "has made more than \(Self.mostAnswers) requests, and does not take the answers"
    }
  }
}

// MARK: Pairing

extension AcceptedLink {
  /// Lets the central pair as the device does. A device that does not say how pairs by Just Works.
  ///
  /// - Parameter identity: what the device tells a bonded central of itself.
  func secure(_ identity: SecuredLink.Identity, _ attempts: RepeatedAttempts?) {
    let policy = (server.device?.pairing ?? PairingPolicy()).askingForPasskey
    let keys = server.bonds.first { $0.peer == peer }?.longTermKeys ?? []
    let manager = SecurityManager(
      SecuredLink(
        role: .peripheral, ownAddress: link.local, peerAddress: link.peer, peerIdentity: peer,
        identity: identity),
      policy: policy, keys: keys, attempts: attempts ?? RepeatedAttempts(forgiven: 1),
      random: SystemRandomNumberGenerator())
    host.change {
      $0.secure(handle, with: manager)
      if policy.isAllowed, policy.requestsSecurity { $0.changeSecurity(of: handle) { $0.pair(at: $1) } }
      $0.letCallerAnswer(on: handle)
    }
  }

  private var manager: SecurityManager? { host.ask { $0.securityManager(of: handle) } ?? nil }

  var isPairing: Bool { manager?.isPairing ?? false }

  func pair(_ policy: PairingPolicy) {
    changeManager { $0.policy = policy.askingForPasskey }
  }

  private func changeManager(_ body: (inout SecurityManager) -> Void) {
    host.change {
      $0.changeSecurity(of: handle) { manager, _ in
        body(&manager)
        return []
      }
    }
  }

  /// The bond with the central is forgotten.
  func forgetKeys() {
    changeManager { $0.keys = [] }
  }

  private func take(_ action: SecurityAction) {
    switch action {
    case .show(let passkey): server.showPasskey(passkey, for: central)
    case .compare(let number):
      server.showPasskey(number, for: central)
      ask(.comparison)
    case .askPasskey: ask(.passkey)
    case .securityChanged(let security, let byBond):
      (attributes.security, attributes.hasBondKey) = (security, byBond)
      server.securityChanged(of: central, to: security)
    case .paired(let result):
      keepAttempts()
      attributes.hasBondKey = result.bond != nil
      server.paired(central, bond: result.bond)
    case .failed(.keyMissing, _): server.keyMissing(of: central)
    case .encryptionFailed(let error): server.encryptionFailed(of: central, error)
    case .failed(let failure, _):
      awaitedAnswer = nil
      keepAttempts()
      server.pairingFailed(
        central, failure, isSecure: manager?.canSecureConnections ?? false, keptBond: manager?.keptBond)
    case .metFault(let fault): server.host?.metFault(fault.number, in: central)
    case .requestedSecurity, .send, .encrypt, .giveKey, .refuseKey: break
    }
  }

  private func keepAttempts() {
    if let attempts = manager?.attempts { transport?.keep(attempts, of: server.identity(of: link.peer)) }
  }

  private func ask(_ question: LinkRequest) {
    awaitedAnswer = server.host?.ask(question, about: central) { [weak self] in
      if question == .comparison { self?.confirm($0) } else { self?.enter($0) }
    }
  }

  private func confirm(_ answer: PersonAnswer) {
    if answer == .nothing { return }
    host.change { $0.changeSecurity(of: handle) { $0.confirm(answer == .asUsual, at: $1) } }
  }

  private func enter(_ answer: PersonAnswer) {
    var passkey: UInt32?
    switch answer {
    case .asUsual:
      passkey = server.device?.pairing?.passkey
      if passkey == nil { server.host?.warn(PairingPolicy.noPasskey(for: central)) }
    case .passkey(let other): passkey = other
    case .refusal: break
    case .nothing: return
    }
    host.change { $0.changeSecurity(of: handle) { $0.enter(passkey: passkey, at: $1) } }
  }
}

// MARK: Credit-based channels

extension AcceptedLink {
  private func take(_ event: ChannelEvent, in channel: ChannelIdentifier) {
    let served = server.channels
    switch event {
    case .opened(let spsm, let mtu):
      guard let number = number(of: spsm) else { return }
      channels[channel] = number
      served.opened(HostSDUChannel(channel, of: handle, mtu: mtu, at: host), number, by: central)
    case .denied(let spsm, let result):
      guard let number = number(of: spsm), let id = server.device?.definition.channels[number].id else {
        return
      }
      server.host?.warn("\(central) may not open \(id): \(result.name)")
    case .received(let sdu):
      if let number = channels[channel] { served.received(sdu, in: number, from: central) }
    case .drained: if let number = channels[channel] { served.drained(number, of: central) }
    case .closed(let end, let unsent):
      guard let number = channels.removeValue(forKey: channel) else { return }
      served.closed(number, of: central, end.words, unsent: unsent)
    case .refused: break  // a device opens no channel
    }
  }

  private func number(of spsm: UInt16) -> Int? {
    server.device?.definition.channels.firstIndex { $0.offer.spsm == spsm }
  }
}

extension ChannelEnd {
  /// Why the channel has closed; nil: the peer has closed it.
  fileprivate var words: String? {
    switch self {
    case .byPeer: nil
    case .byThisSide: "by the device"
    case .link: "with the link"
    case .violation(let violation): "the central \(violation.words)"
    }
  }
}

extension ChannelViolation {
  fileprivate var words: String {
    switch self {
    case .noCredit: "has sent a K-frame without a credit"
    case .frameTooLong: "has sent a K-frame that is longer than the MPS"
    case .noLength: "has sent a K-frame without the length of its SDU"
    case .sduTooLong: "has begun an SDU that is longer than the MTU"
    case .tooManyBytes: "has sent more bytes than the length of the SDU"
    case .tooManyCredits: "has given more than 65,535 credits"
    }
  }
}
