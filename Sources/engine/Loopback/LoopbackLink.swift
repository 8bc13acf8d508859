import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// A central's side of a link to a ``LoopbackTransport``: ATT PDUs, which arrive at once or, if the link's time counts, at its
/// connection events.
@EventLoop
package final class LoopbackLink {
  /// Who the central is: the address by which both sides keep keys.
  package let identity: DeviceAddress
  /// The address of the link or, of a private one, that of the bond to which it leads.
  let peer: LinkAddress
  /// What the device calls the central.
  package let address: Central
  private let description: LinkDescription?
  /// Called when the device has ended the connection.
  package var onDisconnect: (() -> Void)?
  /// Called with other attributes of the device, before the device tells the central of them.
  var onAttributes: ((AttributeDatabase) -> Void)?
  /// Why it ended, as the central sees it; nil: it has not, or the central ended it.
  package private(set) var lossReason: HCIError?
  /// Called once when either side has ended it.
  var onEnd: (() -> Void)?
  /// Whether the central refuses the parameters for which the device asks.
  package var refusesParameters = false
  /// nil: those with which it began.
  private var parameters: ConnectionParameters?
  /// The device asks for its own parameters.
  private var request: AnyObject?
  /// The device does not answer a request of the central.
  private var silence: AnyObject?
  /// A pairing waits for somebody at the device.
  var onPaired: ((PairingOutcome?) -> Void)?
  var awaitedAnswer: AnyObject?
  private var channel: LoopbackChannel?
  /// nil: the link's time does not count.
  let events: ConnectionEvents?
  private(set) weak var transport: LoopbackTransport?
  /// The channels that the central has opened.
  var openChannels: Set<Int> = []
  /// Called with each SDU of the device.
  package var onSDU: ((_ channel: Int, [UInt8]) -> Void)?
  /// Called when the device has closed a channel.
  package var onClose: ((_ channel: Int) -> Void)?

  /// - Parameters:
  ///   - privateAddress: that of this link; nil: the central uses its identity address.
  ///   - others: the other links of the device.
  init(
    _ identity: DeviceAddress, privateAddress: DeviceAddress?, _ transport: LoopbackTransport,
    beside others: [LoopbackLink], onPacket: @escaping ([UInt8]) -> Void
  ) {
    (self.identity, self.transport) = (identity, transport)
    let peer =
      privateAddress.map { transport.server.identity(of: LinkAddress($0, .random)) } ?? LinkAddress(identity)
    self.peer = peer
    address = peer.address.distinct(from: others.map(\.address))
    description = privateAddress.map {
      LinkDescription(addressKind: .random, privateAddress: peer.address == $0 ? nil : $0, parameters: nil)
    }
    events = transport.makeEvents()
    channel = LoopbackChannel(events, deliver: onPacket)
    events?.onTimeout = { [weak self] in self?.lose(.supervisionTimeout, seenAs: .supervisionTimeout) }
  }

  /// A private address of a central, another one each time.
  static func privateAddress(of identity: DeviceAddress, number: Int) -> DeviceAddress {
    DeviceAddresses.resolvable(
      by: resolvingKey(of: identity), (0..<3).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }.reversed()
    )
  }

  /// The identity resolving key of a central.
  private static func resolvingKey(of identity: DeviceAddress) -> [UInt8] {
    identity.littleEndianBytes + [UInt8](repeating: 0x5A, count: 10)
  }

  /// What the device keeps of the central. One with a private address distributes its identity.
  func bond(_ key: LongTermKey) -> Bond {
    Bond(
      with: LinkAddress(identity), longTermKeys: [key],
      identityResolvingKey: description == nil ? nil : Self.resolvingKey(of: identity))
  }

  var isOpen: Bool { channel != nil }

  func open() {
    guard let channel, let transport else { return }
    var description = description
    if let events {
      description = description ?? LinkDescription(addressKind: .public, parameters: nil)
      description?.parameters = events.parameters
    }
    transport.server.connected(peer, as: address, on: channel, description)
    guard isOpen, let delay = transport.device?.definition.link.askAfter else { return }
    request = transport.after(delay) { [weak self] in self?.answerRequest() }
  }

  package func send(_ packet: [UInt8]) { channel?.sendFromCentral(packet) }

  var security: LinkSecurity { channel?.security ?? .none }

  var hasBondKey: Bool { channel?.hasBondKey ?? false }

  /// - Parameter byBond: whether the key of a bond encrypts the link.
  func protect(_ security: LinkSecurity, byBond: Bool) {
    channel?.security = security
    channel?.hasBondKey = byBond
  }

  /// Pairs, or encrypts the link with the keys of an earlier pairing. `end` gets the outcome, at once or when somebody at the device
  /// has answered; nil: the link has ended.
  package func pair(_ request: PairingRequest, end: @escaping (PairingOutcome?) -> Void) {
    guard isOpen, let transport else { return end(nil) }
    guard onPaired == nil else { return end(.failed(.unspecifiedReason)) }
    transport.pairing.pair(self, request, end: end)
  }

  /// Ends the connection.
  ///
  /// - Parameter reason: what the device is told.
  package func disconnect(_ reason: HCIError = .remoteUserTerminated) {
    guard channel != nil else { return }
    endChannels()
    events?.end()
    (channel, request, silence, awaitedAnswer) = (nil, nil, nil, nil)
    transport?.remove(self, reason)
    onPaired.take()?(nil)
    onEnd?()
    onEnd = nil
  }

  /// The device ends the connection, after what it has sent before.
  func end(_ reason: HCIError) {
    guard let events else { return lose(seenAs: reason) }
    events.sendFromDevice(bytes: 2) { [weak self] in self?.lose(seenAs: reason) }
  }

  /// The device ends the connection, or loses it.
  ///
  /// - Parameters:
  ///   - reason: what the device is told.
  ///   - seen: what the central is told.
  func lose(_ reason: HCIError = .localHost, seenAs seen: HCIError) {
    guard isOpen else { return }
    lossReason = seen
    disconnect(reason)
    let callback = onDisconnect
    onDisconnect = nil
    callback?()
  }
}

// MARK: Parameters and PHY

extension LoopbackLink {
  /// The central asks for other parameters of the link, or gives it another PHY.
  package func change(_ change: LinkChange) {
    guard change.parameters != nil, let fault = transport?.server.host?.fault(in: .parameters, of: address)
    else { return apply(change) }
    guard fault == .silence else { return }
    silence = transport?.after(Self.procedureLimit) { [weak self] in
      self?.lose(.responseTimeout, seenAs: .responseTimeout)
    }
  }

  /// How long the central's controller waits for an answer (Core Specification, Vol 6 Part B 5.2).
  private static let procedureLimit = Duration.seconds(40)

  private func apply(_ change: LinkChange) {
    if let new = change.parameters {
      parameters = new
      events?.change(to: new)
    }
    if isOpen { transport?.server.linkChanged(address, change) }
  }

  /// The central answers the device, which prefers other parameters.
  private func answerRequest() {
    guard isOpen, let server = transport?.server, let preferred = server.device?.definition.link.preferred,
      !((parameters ?? events?.parameters).map(preferred.contains) ?? false)
    else { return }
    if refusesParameters { return server.parametersRefused(by: address, .rejected) }
    apply(
      LinkChange(
        parameters: ConnectionParameters(
          interval: preferred.interval.upperBound, latency: preferred.latency,
          supervisionTimeout: preferred.supervisionTimeout)))
  }
}
