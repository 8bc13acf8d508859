import Behavior
import Bluetooth
import EventLoop
import HCI
import HCIPackets

/// Follows the links of a controller by its HCI events.
@EventLoop
final class LinkWatch {
  /// Tells of something that concerns a link with a central.
  enum Notice: Hashable {
    case changed(LinkChange)
    /// The controller cannot ask for other parameters.
    case cannotAsk(HCIError)
    /// The central has been asked for other parameters, and the link keeps its own.
    case refusesParameters(HCIError)
    /// The central wants to encrypt the link with a key that this machine does not have.
    case keyMissing
    case encryptionFailed(HCIError)
  }

  var onNotice: (@EventLoop (WatchedLink, Notice) -> Void)?
  /// Called when a central wants to pair, and whether by LE Secure Connections; before the kernel acts on it. Only if
  /// ``hearsPairing``.
  var onPairingRequest: (@EventLoop (WatchedLink, Bool) -> Void)?
  /// This costs the kernel some time for each packet.
  var hearsPairing = false { didSet { socket?.hearsPairing = hearsPairing } }
  /// Called when the kernel has taken up that the encryption of a link has changed.
  var onEncryption: (@EventLoop () -> Void)?
  private let open: @EventLoop (UInt16) -> HCISocket?
  private var controller: UInt16?
  private var socket: HCISocket?
  private var links: [LinkHandle: WatchedLink] = [:]
  /// The links with a request for other parameters that the controller has not taken up yet, in order.
  private var asked: ArraySlice<WatchedLink> = []

  /// - Parameter open: opens a socket for the events of a controller.
  init(open: @escaping @EventLoop (UInt16) -> HCISocket? = { try? HCISocket.open(on: $0) }) {
    self.open = open
  }

  /// Begins to hear a controller, unless it hears it already.
  func follow(_ controller: UInt16) {
    guard socket?.isOpen != true || controller != self.controller else { return }
    stop()
    self.controller = controller
    socket = open(controller)
    socket?.hearsPairing = hearsPairing
    socket?.onEvent = { [weak self] in self?.take($0) }
  }

  func stop() {
    socket?.close()
    socket = nil
    links = [:]
    asked = []
  }

  /// The link with this handle, with all that the controller has reported; nil: it has reported nothing.
  func link(_ handle: LinkHandle) -> WatchedLink? {
    catchUp()
    return links[handle]
  }

  /// Reads what the controller has reported so far.
  func catchUp() { socket?.catchUp() }
}

// MARK: Questions

extension LinkWatch {
  /// Asks the controller for the PHYs, which ``WatchedLink/phys`` gets.
  func askForPHYs(of link: WatchedLink) { _ = socket?.send(.readPHY(link.handle)) }

  /// Asks the central for other parameters, unless the link has such ones.
  func ask(_ link: WatchedLink, for preferred: PreferredConnectionParameters) {
    catchUp()
    guard links[link.handle] === link, !preferred.contains(link.parameters) else { return }
    guard socket?.send(.updateConnection(link.handle, preferred)) == true else { return }
    asked.append(link)
  }
}

// MARK: Events

extension LinkWatch {
  private func take(_ event: HCIEvent) {
    if let handle = event.linkWithoutKey {
      links[handle]?.lacksKey = true
      return tell(handle, .keyMissing)
    }
    switch event {
    case .connected(let link): links[link.handle] = WatchedLink(link.handle, link.parameters)
    case .disconnected(let handle, let reason):
      guard let link = links.removeValue(forKey: handle) else { return }
      link.reason = reason
      (link.asking, link.measuring) = (nil, nil)
    case .parametersChanged(let handle, let parameters):
      links[handle]?.parameters = parameters
      tell(handle, .changed(LinkChange(parameters: parameters)))
    case .parametersRefused(let handle, let error): tell(handle, .refusesParameters(error))
    case .physChanged(let handle, let phys):
      links[handle]?.phys = phys
      tell(handle, .changed(LinkChange(phys: phys)))
    case .packetSizesChanged(let handle, let sizes): tell(handle, .changed(LinkChange(packetSizes: sizes)))
    case .completed(.readPHY, let parameters):
      guard let (handle, phys) = Directions<PHY>.read(from: parameters) else { return }
      links[handle]?.phys = phys
    case .begun(.updateConnection, let error):
      guard let link = asked.popFirst(), let error else { return }
      tell(link.handle, .cannotAsk(error))
    // The kernel has not acted on it yet. It has once it has the answer to a question that is asked now.
    case .encryptionChanged: _ = socket?.send(.readLocalVersion)
    case .completed(.readLocalVersion, _): onEncryption?()
    case .pairingRequested(let handle, let isSecure):
      if let link = links[handle] { onPairingRequest?(link, isSecure) }
    case .encryptionFailed(let handle, let error): tell(handle, .encryptionFailed(error))
    case .connectionFailed, .parametersRequested, .longTermKeyRequested, .advertisingSetEnded, .given,
      .completed,
      .begun, .hardwareFailed, .other:
      break
    }
  }

  /// A central without a channel is reported later, in the state that it has then.
  private func tell(_ handle: LinkHandle, _ notice: Notice) {
    if let link = links[handle], link.central != nil { onNotice?(link, notice) }
  }
}
