import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// Serves the attributes of a device to all centrals, each on a channel of its own.
///
/// A transport brings the channels and their ends; everything that centrals may see of ATT and GATT is here.
@EventLoop
package final class GATTServer {
  package weak var host: (any TransportHost)? { didSet { channels.host = host } }
  /// The credit-based channels that centrals have opened.
  package let channels = ServedChannels()
  /// Ends a link that cannot go on, and later reports its end.
  package var disconnect: ((ServedLink) -> Void)?
  /// Records all links; nil: nothing does.
  package var recorder: (any AirRecorder)?
  /// The device; nil: it is not on the air.
  package private(set) var device: DeviceOnAir?
  /// The attributes that the next central gets.
  package private(set) var database = AttributeDatabase()
  /// The centrals that the device is bonded with.
  package private(set) var bonds: [Bond] = [] { didSet { onBonds?() } }
  /// Called when what is kept of bonds has changed.
  package var onBonds: (() -> Void)?
  /// All links, in the order in which they began.
  package private(set) var links: [ServedLink] = []
  /// Whether the key of a bond is where the link can be encrypted with it.
  package var hasKey: (Bond) -> Bool = { _ in true }
  private let heldResponses: HeldResponses
  private let scheduler: any Scheduler

  /// - Parameter scheduler: measures how long a central takes to confirm an indication, and how long responses are held.
  package init(scheduler: any Scheduler = EventLoopScheduler()) {
    self.scheduler = scheduler
    heldResponses = HeldResponses(scheduler)
  }

  /// Whether responses to write requests wait.
  package var isHoldingResponses: Bool {
    get { heldResponses.isHolding }
    set { heldResponses.isHolding = newValue }
  }

  package func start(_ device: DeviceOnAir) {
    self.device = device
    bonds = device.bonds
    buildDatabase()
  }

  package func stop() { device = nil }

  /// Serves other attributes to the next centrals.
  package func serve(_ table: AttributeTable) {
    device?.table = table
    buildDatabase()
  }

  /// Serves the present attributes to the centrals that are connected, too.
  package func updateLinks() {
    for link in links {
      link.serve(database)
      if link.bonding == .isInForce { _ = update(link) }
    }
  }

  /// Notes how the device pairs from now on.
  package func pair(_ policy: PairingPolicy?) { device?.pairing = policy }

  private func buildDatabase() {
    guard let device else { return }
    database = AttributeDatabase(
      device.definition, device.table, name: device.deviceName,
      appearance: device.advertisement?.appearance ?? 0)
  }
}

// MARK: Links

extension GATTServer {
  /// Serves a central that has connected.
  ///
  /// - Parameter central: what the device calls it; nil: its address.
  @discardableResult
  package func connected(
    _ peer: LinkAddress, as central: Central? = nil, on channel: any PacketChannel,
    _ description: LinkDescription? = nil
  ) -> ServedLink {
    let central = central ?? peer.address
    // An old link of this central whose end has not been reported yet.
    if let old = self[central] { ended(old) }
    recorder?.connected(LinkAddress(central, peer.kind), description?.parameters)
    let channel = recorder.map { RecordedChannel(channel, to: central, $0) } ?? channel
    let link = ServedLink(
      channel, to: peer, as: central, database, mtu: device?.definition.link.mtu ?? AttributeServer.usualMTU,
      isClient: device?.definition.sought.isEmpty == false, heldResponses, scheduler,
      owner: self)
    links.append(link)
    host?.receive(.connected(central, description))
    guard self[central] === link else { return link }  // the device may disconnect it at once
    link.start()
    recall(link)
    return link
  }

  /// Takes the end of a link, and closes its channel. Does nothing if it has ended before.
  package func ended(_ link: ServedLink, _ reason: HCIError? = nil) {
    guard self[link.central] === link else { return }
    links.removeAll { $0 === link }
    if let request = link.overdueRequest { warnOfSilence(link.central, request) }
    link.close()
    recorder?.disconnected(link.central, reason)
    link.endSubscriptions()
    host?.receive(.disconnected(link.central, reason))
  }

  private func warnOfSilence(_ central: Central, _ request: Event) {
    guard let definition = device?.definition, let attribute = request.requestedAttribute else { return }
    host?.warn(
      "the device did not answer a request of \(central) for \(definition.name(of: attribute)) within 30 s; the central "
        + "will end the link")
  }

  /// The link to a central; nil: it is not connected.
  package subscript(central: Central) -> ServedLink? { links.first { $0.central == central } }
}

extension GATTServer: LinkOwner {
  func receive(_ event: Event, respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
  }

  func screen(_ place: RequestPlace, _ value: [UInt8], of central: Central, respond: @escaping Responder) {
    guard let host else { return respond(.accepted) }
    host.screen(place, value, of: central, respond: respond)
  }

  func receiveAsClient(_ packet: [UInt8], on link: ServedLink) {
    host?.receiveAsClient(packet, from: link.central)
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    host?.congestionChanged(isCongested, of: characteristic)
  }

  func failed(_ link: ServedLink, _ fault: ServerAction.Fault) {
    let reason =
      switch fault {
      case .tooManyWaiting:
        "has sent more than \(AttributeServer.mostWaiting) requests and commands before the response to a request"
      case .indicationNotConfirmed: "has not confirmed an indication within 30 s"
      }
    host?.warn("\(link.central) \(reason); disconnecting it")
    disconnect?(link)
  }
}

// MARK: Values

extension GATTServer {
  /// The longest value that all of these centrals get whole, bytes; nil: there are none.
  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    var longest: Int?
    for link in links where delivery(to: link, of: characteristic, recipients) != nil {
      longest = min(longest ?? .max, link.mtu - 3)
    }
    return longest
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    var outcome = SendOutcome.nobodySubscribed
    for link in links {
      guard let delivery = delivery(to: link, of: characteristic, recipients) else { continue }
      link.send(value, from: characteristic, by: delivery)
      if delivery == .notification { outcome = .notified }
      if outcome == .nobodySubscribed { outcome = .indicated }
    }
    guard outcome == .nobodySubscribed else { return outcome }
    let missing = links.first { delivery(to: $0, of: characteristic, recipients, evenMissed: true) != nil }
    return missing.map { $0.protects(characteristic) ? .outOfSync : .unprotected } ?? .nobodySubscribed
  }

  /// How a central gets a value; nil: not at all.
  private func delivery(
    to link: ServedLink, of characteristic: Int, _ recipients: Recipients, evenMissed: Bool = false
  ) -> Delivery? {
    switch recipients {
    case .subscribers: break
    case .subscriber(let central), .central(let central): if central != link.central { return nil }
    }
    var evenUnsubscribed = false
    if case .central = recipients { evenUnsubscribed = true }
    return link.delivery(of: characteristic, evenUnsubscribed: evenUnsubscribed, evenMissed: evenMissed)
  }

  /// Sends a PDU as it is.
  ///
  /// - Returns: whether the central is connected.
  package func sendPDU(_ packet: [UInt8], to central: Central) -> Bool {
    guard let link = self[central] else { return false }
    link.sendPDU(packet)
    return true
  }

  /// Sends the values of an event that wait to go together.
  package func sendJoinedValues() {
    for link in links { link.sendJoinedValues() }
  }
}

// MARK: What lasts for a bonded central from link to link

extension GATTServer {
  /// Keeps a bond, in place of an earlier one with the same central. The central's configurations stay,
  /// and what it knows of the attributes.
  func keep(_ new: Bond, of link: ServedLink?) {
    var bond = new
    if let index = bonds.firstIndex(where: { $0.peer == new.peer }) {
      let old = bonds.remove(at: index)
      bond.configurations.merge(old.configurations) { new, _ in new }
      bond.features.formUnion(old.features)
      bond.table = bond.table ?? old.table
    }
    bonds.append(bond)
    if let most = device?.pairing?.mostBonds, bonds.count > most, let oldest = bonds.first {
      host?.warn(PairingPolicy.forgotOldestBond(with: oldest.peer.address, most: most))
      forgetBonds { $0.peer == oldest.peer }
    }
    guard let link else { return host?.keep(bonds) ?? () }
    link.identify(as: bond.peer)
    if !recall(link) { host?.keep(bonds) }
  }

  /// A central's identity address, if it is bonded and uses a private address; otherwise the address that it uses.
  package func identity(of peer: LinkAddress) -> LinkAddress {
    let bond = bonds.first { $0.identityResolvingKey.map { peer.isResolved(by: $0) } ?? false }
    return bond?.peer ?? peer
  }

  /// The centrals with which there are bonds.
  package var bondedCentrals: [Central] { bonds.map(\.peer.address) }

  /// Forgets the bond with a central, or all bonds (nil).
  ///
  /// - Returns: the links of these centrals, which go on.
  @discardableResult
  package func forget(_ central: Central?) -> [ServedLink] {
    let identity = central.map { self[$0]?.identity.address ?? $0 }
    return forgetBonds { identity == nil || $0.peer.address == identity }
  }

  @discardableResult
  private func forgetBonds(_ isForgotten: (Bond) -> Bool) -> [ServedLink] {
    let forgotten = bonds.filter(isForgotten).map(\.peer)
    guard !forgotten.isEmpty else { return [] }
    bonds.removeAll { forgotten.contains($0.peer) }
    let affected = links.filter { forgotten.contains($0.identity) }
    for link in affected { link.forgetBond() }
    host?.keep(bonds)
    return affected
  }

  /// Looks for the bond with the central of a link, which only holds once its key encrypts the link: anyone can take an address, and
  /// pair with it.
  ///
  /// - Returns: whether the host has been given the bonds.
  @discardableResult
  func recall(_ link: ServedLink) -> Bool {
    let bond = bonds.first { $0.peer == link.identity }
    guard let bond, self[link.central] === link else { return false }
    link.awaitEncryption(hasKey: hasKey(bond))
    guard link.isEncryptedByBond, link.bonding == .awaitsEncryption else { return false }
    for event in link.restore(bond) where self[link.central] === link { host?.receive(event) }
    link.indicateChange()
    return update(link)
  }

  private func update(_ link: ServedLink) -> Bool {
    guard let index = bonds.firstIndex(where: { $0.peer == link.identity }) else { return false }
    let old = bonds[index]
    link.update(&bonds[index])
    guard bonds[index] != old else { return false }
    host?.keep(bonds)
    return true
  }

  func encrypted(_ link: ServedLink) { recall(link) }

  func bondChanged(_ link: ServedLink) { _ = update(link) }
}

extension Event {
  /// The attribute that a request is about; nil: it is no request.
  fileprivate var requestedAttribute: AttributeReference? {
    switch self {
    case .readRequested(_, let attribute, _), .writeRequested(_, let attribute, _, _, _),
      .writeChecked(_, let attribute, _, _, _):
      attribute
    case .configuring(_, let characteristic, _, _, _, _): .characteristic(characteristic)
    default: nil
    }
  }
}
