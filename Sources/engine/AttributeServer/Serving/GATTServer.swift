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
  package internal(set) var bonds: [Bond] = []
  /// Whether the key of a bond is where the link can be encrypted with it.
  package var hasKey: (Bond) -> Bool = { _ in true }
  private let served = ServedLinks()
  private let heldResponses: HeldResponses
  private let scheduler: any Scheduler

  /// - Parameter scheduler: measures how long a central takes to confirm an indication, and how long responses are held.
  package init(scheduler: any Scheduler = EventLoopScheduler()) {
    self.scheduler = scheduler
    heldResponses = HeldResponses(scheduler)
  }

  /// All links, in the order in which they began.
  package var links: [ServedLink] { served.all }

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

  /// Serves other attributes to the next centrals. Those that are connected keep what they have discovered.
  package func serve(_ table: AttributeTable) {
    device?.table = table
    buildDatabase()
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
  package func connected(
    _ peer: LinkAddress, on channel: any PacketChannel, _ description: LinkDescription? = nil
  ) {
    // An old link of this central whose end has not been reported yet.
    if let old = served[peer.address] { ended(old) }
    recorder?.connected(peer, description?.parameters)
    let channel = recorder.map { RecordedChannel(channel, to: peer.address, $0) } ?? channel
    let link = ServedLink(
      channel, to: peer, database, mtu: device?.definition.link.mtu ?? 517,
      isClient: device?.definition.sought.isEmpty == false, heldResponses, scheduler,
      owner: self)
    served.add(link)
    host?.receive(.connected(peer.address, description))
    guard served[peer.address] === link else { return }  // the device may disconnect it at once
    link.start()
    recall(link, isEncrypted: link.security.isEncrypted)
  }

  /// Takes the end of a link, and closes its channel. Does nothing if it has ended before.
  package func ended(_ link: ServedLink, _ reason: HCIError? = nil) {
    guard served[link.central] === link else { return }
    served.remove(link)
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
  package subscript(central: Central) -> ServedLink? { served[central] }
}

extension GATTServer: LinkOwner {
  func receive(_ event: Event, respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
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
    served.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    served.send(value, from: characteristic, to: recipients)
  }

  /// Sends a PDU of the device as the GATT client of a central.
  ///
  /// - Returns: whether the central is connected.
  package func sendAsClient(_ packet: [UInt8], to central: Central) -> Bool {
    guard let link = served[central] else { return false }
    link.sendAsClient(packet)
    return true
  }

  /// Sends the values of an event that wait to go together.
  package func sendJoinedValues() {
    for link in links { link.sendJoinedValues() }
  }
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
