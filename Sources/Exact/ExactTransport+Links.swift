import AttributeServer
import Behavior
import Bluetooth
import EventLoop
import Glibc
import L2CAP
import Peripheral

// The links to centrals.
extension ExactTransport {
  /// How long the kernel may take to end a link when the device leaves the air.
  private static let patience = Duration.seconds(3)

  package func watchCentrals() {
    let waiting = early ?? []
    early = nil
    for (socket, peer) in waiting { serve(socket, peer) }
  }

  func connected(_ socket: FileDescriptor, _ peer: LinkAddress) {
    if early == nil { serve(socket, peer) } else { early?.append((socket, peer)) }
  }

  private func serve(_ socket: FileDescriptor, _ peer: LinkAddress) {
    // An old link of this central whose end has not been read yet.
    if let old = links[peer.address] { ended(old, .endedByPeer) }
    let mtu = device?.definition.link.mtu ?? 517
    let link = ServedLink(socket, to: peer, database, mtu: mtu, heldResponses, owner: self)
    links.add(link)
    host?.receive(.connected(peer.address))
    link.start()
    keeper?.resumeAdvertising()
  }

  package func disconnect(_ central: Central?) {
    guard let keeper else { return }
    for link in links.all where central == nil || link.central == central { end(link, on: keeper) }
  }

  /// The link ends at once, if this program may send HCI commands; otherwise the kernel is asked to end it.
  private func end(_ link: ServedLink, on keeper: AdapterKeeper) {
    let kernelLink = KernelLink(controller: keeper.controller, peer: link.peer)
    if kernelLink.disconnect() { return }
    let (peer, index, management) = (link.peer, keeper.controller.index, keeper.management)
    EventLoop.start { try? await management.disconnect(peer, on: index) }
  }

  /// Returns when all links have ended. One that does not is closed.
  func endAllLinks(on keeper: AdapterKeeper) async {
    let promise = Promise<Void>()
    allHaveEnded = promise
    for link in links.all { end(link, on: keeper) }
    if !links.all.isEmpty {
      let limit = EventLoop.after(Self.patience) { promise.fulfil() }
      await promise.value()
      limit.cancel()
    }
    for link in links.all { ended(link, .closed) }
  }
}

extension ExactTransport: LinkOwner {
  func receive(_ event: Event, respond: Responder?) {
    guard let host else {
      respond?(.refused(.unlikelyError))
      return
    }
    host.receive(event, respond: respond)
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {
    host?.congestionChanged(isCongested, of: characteristic)
  }

  func failed(_ link: ServedLink, _ fault: ServerAction.Fault) {
    let reason =
      switch fault {
      case .tooManyRequests: "sends requests without waiting for responses"
      case .indicationNotConfirmed: "has not confirmed an indication within 30 s"
      }
    host?.warn("\(link.central) \(reason); disconnecting it")
    disconnect(link.central)
  }

  func ended(_ link: ServedLink, _ reason: LinkEnd) {
    guard links[link.central] === link else { return }
    links.remove(link)
    link.close()
    if case .lost(ETIMEDOUT) = reason {
      host?.warn("\(link.central) has not answered for longer than the supervision timeout")
    }
    link.endSubscriptions()
    host?.receive(.disconnected(link.central))
    if links.all.isEmpty { allHaveEnded?.fulfil() }
  }
}
