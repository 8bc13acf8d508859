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
    let channel = L2CAPChannel(adopting: socket, capacity: Self.capacity)
    channel.onEnd = { [weak self] in self?.ended(peer.address, $0) }
    server.connected(peer, on: channel)
    if let link = server[peer.address] { pairing?.began(link) }
    keeper?.resumeAdvertising()
  }

  package func disconnect(_ central: Central?) {
    guard let keeper else { return }
    for link in server.links where central == nil || link.central == central { end(link, on: keeper) }
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
    for link in server.links { end(link, on: keeper) }
    if !server.links.isEmpty {
      let limit = EventLoop.after(Self.patience) { promise.fulfil() }
      await promise.value()
      limit.cancel()
    }
    for link in server.links { server.ended(link) }
  }

  private func ended(_ central: Central, _ reason: LinkEnd) {
    guard let link = server[central] else { return }
    if case .lost(ETIMEDOUT) = reason {
      host?.warn("\(central) has not answered for longer than the supervision timeout")
    }
    server.ended(link)
    if server.links.isEmpty { allHaveEnded?.fulfil() }
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
