import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// The link to one central: its ATT channel, and the server that answers there.
@EventLoop
package final class ServedLink {
  /// How long the central may take to confirm an indication (Core Specification, Vol 3 Part F 3.3.3).
  private static let confirmationLimit = Duration.seconds(30)
  /// How long a central waits for a response before it ends the link (likewise).
  private static let responseLimit = Duration.seconds(30)

  /// What the bond with the central means to a link.
  enum Bonding: Hashable {
    /// The central is not bonded.
    case none
    /// The link has not shown yet that it has the central's key.
    case awaitsEncryption
    case isInForce
  }

  package let peer: LinkAddress
  package let central: Central
  /// The address with which the central is bonded.
  package private(set) var identity: LinkAddress
  /// What the bond with the central means to this link.
  private(set) var bonding = Bonding.none
  private var server: AttributeServer
  /// Whether values of one event go together if the central takes this.
  private let joinsValues: Bool
  /// Whether the protection of the link makes a difference.
  private var needsSecurity: Bool
  /// Whether the device is a GATT client of the central, too.
  private let isClient: Bool
  private let channel: any PacketChannel
  private let heldResponses: HeldResponses
  private let scheduler: any Scheduler
  private var confirmationTimer: AnyObject?
  /// Takes the device's response to a request: the same closure for all.
  private var respond: Responder = { _ in }
  /// Whether the last request was a write to the device, whose response may be held.
  private var mayHoldResponse = false
  /// The request that the device has not answered at once, and since when.
  private var unanswered: (request: Event, since: Instant)?
  /// The characteristics whose values wait.
  private var congested: Set<Int> = []
  private unowned let owner: any LinkOwner

  /// The ATT_MTU, bytes.
  package var mtu: Int { server.mtu }
  /// How well the link is protected now.
  package var security: LinkSecurity { channel.security }
  /// Whether the link is encrypted by the key of a bond.
  var isEncryptedByBond: Bool { channel.hasBondKey && channel.security.isEncrypted }

  init(
    _ channel: any PacketChannel, to peer: LinkAddress, as central: Central? = nil,
    _ database: AttributeDatabase, mtu: Int,
    isClient: Bool = false, _ heldResponses: HeldResponses, _ scheduler: any Scheduler, owner: any LinkOwner
  ) {
    (self.peer, self.owner, self.heldResponses, self.scheduler) = (peer, owner, heldResponses, scheduler)
    let central = central ?? peer.address
    (self.central, identity) = (central, peer)
    (self.channel, self.isClient) = (channel, isClient)
    (joinsValues, needsSecurity) = (database.joinsValues, database.needsSecurity)
    server = AttributeServer(database, for: central, mtu: mtu)
    respond = { [weak self] in self?.take($0) }
    channel.onEmpty = { [weak self] in self?.updateCongestion() }
  }

  /// Begins to read requests.
  func start() {
    for event in server.initialSubscriptions { owner.receive(event, respond: nil) }
    channel.onReceive = { [weak self] in self?.receive($0) }
  }

  /// Serves other attributes from now on.
  func serve(_ database: AttributeDatabase) {
    sendJoinedValues()
    needsSecurity = database.needsSecurity
    perform(server.serve(database))
  }

  func close() {
    confirmationTimer = nil
    channel.close()
  }

  /// Ends the subscriptions and congestions of a central that has left.
  func endSubscriptions() {
    for characteristic in server.subscriptions {
      owner.receive(.unsubscribed(central, characteristic: characteristic), respond: nil)
    }
    for characteristic in congested { owner.congestionChanged(false, of: characteristic) }
    congested = []
  }
}

/// The device that a ``ServedLink`` serves.
@EventLoop
protocol LinkOwner: AnyObject {
  func receive(_ event: Event, respond: Responder?)
  /// Lets faults strike a request that the server answers by itself.
  func screen(_ place: RequestPlace, _ value: [UInt8], of central: Central, respond: @escaping Responder)
  func congestionChanged(_ isCongested: Bool, of characteristic: Int)
  /// The link cannot go on.
  func failed(_ link: ServedLink, _ fault: ServerAction.Fault)
  /// The link to a bonded central is encrypted by the key of its bond, which this has waited for.
  func encrypted(_ link: ServedLink)
  /// The central, as a GATT server, has sent this to the device.
  func receiveAsClient(_ packet: [UInt8], on link: ServedLink)
  /// What is kept of a bonded central has changed.
  func bondChanged(_ link: ServedLink)
}

// MARK: In

extension ServedLink {
  /// Pairing may change the protection at any time; only attributes with such a permission need it.
  private func receive(_ packet: [UInt8]) {
    if isClient, packet.first.map(AttributeOpcode.init)?.isOfServer == true, !server.awaitsMTU(packet) {
      return owner.receiveAsClient(packet, on: self)
    }
    if bonding == .awaitsEncryption, isEncryptedByBond { owner.encrypted(self) }
    perform(server.receive(packet, security: protection))
  }

  /// How well the link is protected now, where that makes a difference.
  private var protection: LinkSecurity { needsSecurity ? channel.security : .none }

  private func perform(_ actions: consuming ServerActions) {
    tellNews()
    carryOut(actions)
    updateCongestion()
  }

  private func carryOut(_ actions: consuming ServerActions) {
    let rest = actions.rest
    if let first = actions.first.take() { carryOut(first) }
    for action in rest { carryOut(action) }
  }

  private func carryOut(_ action: consuming ServerAction) {
    switch consume action {
    case .send(let packet):
      sendJoinedValues()
      channel.send(packet)
    case .ask(let event): ask(event)
    case .screen(let place, let value):
      mayHoldResponse = false
      owner.screen(place, value, of: central, respond: respond)
    case .tell(let event): owner.receive(event, respond: nil)
    case .awaitConfirmation(let isWaiting): awaitConfirmation(isWaiting)
    case .end(let fault): owner.failed(self, fault)
    }
  }

  private func ask(_ event: Event) {
    mayHoldResponse = if case .writeRequested = event { true } else { false }
    owner.receive(event, respond: respond)
    if unanswered == nil, server.awaitsAnswer { unanswered = (event, scheduler.now) }
  }

  private func take(_ response: Response) {
    unanswered = nil
    let mayBeHeld = mayHoldResponse
    // The server goes on at once, so that commands do not wait behind a response that is held.
    let actions = server.answer(response)
    guard mayBeHeld, heldResponses.isHolding else { return perform(actions) }
    heldResponses.release { [weak self] in self?.perform(actions) }
  }

  /// The request for whose response the central has waited too long; nil: there is none.
  var overdueRequest: Event? {
    guard let (request, since) = unanswered, scheduler.now >= since.advanced(by: Self.responseLimit) else {
      return nil
    }
    return request
  }

  private func awaitConfirmation(_ isWaiting: Bool) {
    confirmationTimer =
      isWaiting
      ? scheduler.schedule(at: scheduler.now.advanced(by: Self.confirmationLimit)) { [weak self] in
        guard let self else { return }
        perform(server.confirmationTimedOut())
      } : nil
  }
}

// MARK: Bonding

extension ServedLink {
  /// The central is bonded with this address.
  func identify(as identity: LinkAddress) { self.identity = identity }

  /// The central is bonded, and has to show it by encrypting the link, unless it has.
  func awaitEncryption(hasKey: Bool) {
    server.hasKey = hasKey
    if bonding == .none { bonding = .awaitsEncryption }
  }

  func forgetBond() { (bonding, server.hasKey) = (.none, false) }

  /// Restores the kept state of the central, and returns the events for the device.
  func restore(_ bond: Bond) -> [Event] {
    bonding = .isInForce
    return server.restore(bond, over: channel.security)
  }

  /// Tells the central if the attributes are not those that it knows.
  func indicateChange() { perform(server.indicateChange()) }

  /// Brings a bond up to date with this link.
  func update(_ bond: inout Bond) { server.update(&bond) }

  private func tellNews() {
    if bonding == .isInForce, server.takeNews() { owner.bondChanged(self) }
  }
}

// MARK: Out

extension ServedLink {
  func delivery(
    of characteristic: Int, evenUnsubscribed: Bool = false, evenMissed: Bool = false
  ) -> Delivery? {
    server.delivery(
      of: characteristic, over: protection, evenUnsubscribed: evenUnsubscribed, evenMissed: evenMissed)
  }

  /// Whether the link is protected well enough for the values of a characteristic.
  func protects(_ characteristic: Int) -> Bool { server.protects(characteristic, protection) }

  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, by delivery: Delivery) {
    switch delivery {
    case .notification where joinsValues && server.joinsValues:
      if let full = server.join(value, from: characteristic) { send(full) }
    case .notification:
      if let packet = server.notification(of: value, from: characteristic) { channel.send(packet) }
    case .indication: carryOut(server.indicate(value, from: characteristic))
    }
    if delivery == .notification, server.indicatesToo(characteristic) {
      carryOut(server.indicate(value, from: characteristic))
    }
    noteCongestion(of: characteristic)
  }

  /// Sends a PDU as it is.
  func sendPDU(_ packet: [UInt8]) {
    sendJoinedValues()
    server.noteRequest(packet)
    channel.send(packet)
  }

  /// Sends the values of an event that wait to go together.
  func sendJoinedValues() {
    if joinsValues, let values = server.takeJoinedValues() { send(values) }
  }

  private func send(_ values: JoinedValues) {
    channel.send(values.packet)
    for characteristic in values.characteristics { noteCongestion(of: characteristic) }
  }

  private func noteCongestion(of characteristic: Int) {
    guard isCongested, congested.insert(characteristic).inserted else { return }
    owner.congestionChanged(true, of: characteristic)
  }

  /// Whether values wait for the kernel, or for the confirmation of an earlier one.
  private var isCongested: Bool { channel.isCongested || server.unconfirmed > 1 }

  private func updateCongestion() {
    guard !congested.isEmpty, !isCongested else { return }
    let ended = congested
    congested = []
    for characteristic in ended { owner.congestionChanged(false, of: characteristic) }
  }
}
