import AttributeServer
import Behavior
import Bluetooth
import EventLoop
import GATTServer
import Glibc
import L2CAP
import Peripheral

// The links to centrals.
extension ExactTransport {
  /// How many packets may wait while a central does not take them: as many values as a device can make at once.
  private static let capacity = 1 << 18
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
    let link = socket.linkHandle.flatMap { watch.link($0) }
    let channel = L2CAPChannel(adopting: socket, capacity: Self.capacity)
    channel.onEnd = { [weak self] in self?.ended(peer.address, $0) }
    if let old = server[peer.address] { server.ended(old, watched[peer.address]?.reason) }
    watched[peer.address] = link
    server.connected(
      peer, on: channel, LinkDescription(addressKind: peer.kind, parameters: link?.parameters))
    link?.central = peer.address
    if let link, link.lacksKey { take(.keyMissing, of: link) }
    if let link = server[peer.address] { pairing?.began(link) }
    keeper?.resumeAdvertising()
    if let link, server[peer.address] != nil { begin(link, peer) }
  }

  package func disconnect(_ central: Central?, _ reason: HCIError) {
    guard let keeper else { return }
    for link in server.links where central == nil || link.central == central {
      recorder?.ends(link.central, reason)
      end(link, reason, on: keeper)
    }
  }

  /// The link ends at once, if this program may send HCI commands; otherwise the kernel is asked to end it, with a reason of
  /// its own.
  private func end(_ link: ServedLink, _ reason: HCIError = .remoteUserTerminated, on keeper: AdapterKeeper) {
    let kernelLink = KernelLink(controller: keeper.controller, peer: link.peer)
    if kernelLink.disconnect(reason) { return }
    let (peer, index, management) = (link.peer, keeper.controller.index, keeper.management)
    EventLoop.start { try? await management.disconnect(peer, on: index) }
  }

  /// Returns when all links have ended. One that does not is closed.
  func endAllLinks(on keeper: AdapterKeeper) async {
    let promise = Promise<Void>()
    allHaveEnded = promise
    for link in server.links { end(link, on: keeper) }
    if !server.links.isEmpty {
      let limit = EventLoop.after(Self.patience) { promise.fulfil() }
      await promise.value()
      limit.cancel()
    }
    for link in server.links { server.ended(link) }
  }

  private func ended(_ central: Central, _ end: LinkEnd) {
    guard let link = server[central] else { return }
    watch.catchUp()
    let watched = watched.removeValue(forKey: central)
    // The controller tells of each end first, unless it is switched off or has been removed.
    server.ended(link, watched == nil ? HCIError(end) : watched?.reason ?? .localHost)
    if server.links.isEmpty { allHaveEnded?.fulfil() }
  }
}

extension HCIError {
  /// The kernel's state of a link that the controller has not reported; nil: it is not clear.
  fileprivate init?(_ end: LinkEnd) {
    switch end {
    case .lost(ETIMEDOUT): self = .supervisionTimeout
    case .lost(ECONNABORTED): self = .localHost
    default: return nil
    }
  }
}

extension L2CAPChannel: PacketChannel {
  package var security: LinkSecurity {
    let (level, keySize) = linkSecurity
    return switch level {
    case 2: LinkSecurity(.encrypted, keySize: keySize)
    case 3: LinkSecurity(.authenticated, keySize: keySize)
    case 4: LinkSecurity(.secureConnections, keySize: keySize)
    default: .none
    }
  }
}
