import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import HCIPackets
import Host
import Peripheral

// The links to centrals.
extension HostTransport {
  /// When the controller is asked for the signal: it needs some packets to measure.
  private static let measuring = Duration.seconds(1)
  /// How long links may take to end when the device leaves the air.
  private static let patience = Duration.seconds(3)

  package func watchCentrals() {
    let waiting = early ?? []
    early = nil
    for handle in waiting { serve(handle) }
  }

  func connected(_ link: HostLink) {
    guard let seat else { return }
    let peer = identity(of: link.peer)
    links[link.handle] = Served(link: link, peer: peer, channel: HostChannel(link.handle, seat))
    secure(link, of: peer)
    seat.change { $0.letCallerAnswer(on: link.handle) }
    if early == nil { serve(link.handle) } else { early?.append(link.handle) }
  }

  private func serve(_ handle: LinkHandle) {
    guard let served = links[handle] else { return }
    let (link, peer) = (served.link, served.peer)
    server.connected(
      peer, on: served.channel, LinkDescription(addressKind: link.peer.kind, parameters: link.parameters))
    guard server[peer.address] != nil else { return }
    offerChannels(on: handle)
    if let delay = server.device?.definition.link.askAfter {
      after(delay, on: handle) { $0.askForParameters(on: handle) }
    }
    if host?.isLogging == true {
      after(Self.measuring, on: handle) { $0.seat?.change { $0.measure(handle) } }
    }
  }

  /// Does something later, unless the link has ended.
  private func after(
    _ delay: Duration, on handle: LinkHandle, _ body: @escaping @EventLoop (HostTransport) -> Void
  ) {
    let timer = EventLoop.after(delay) { [weak self] in
      if let self { body(self) }
    }
    links[handle]?.timers.append(timer)
  }

  private func askForParameters(on handle: LinkHandle) {
    guard let preferred = server.device?.definition.link.preferred,
      let parameters = seat?.host?.link(handle)?.parameters, !preferred.contains(parameters)
    else { return }
    seat?.change { $0.ask(for: preferred, on: handle) }
  }

  package func disconnect(_ central: Central?, _ reason: HCIError) {
    for served in links.values where central == nil || served.central == central {
      recorder?.ends(served.central, reason)
      seat?.change { $0.disconnect(served.link.handle, reason) }
    }
  }

  func disconnected(_ handle: LinkHandle, _ reason: HCIError?) {
    early?.removeAll { $0 == handle }
    guard let served = links.removeValue(forKey: handle) else { return }
    if let link = server[served.central] { server.ended(link, reason) }
    if links.isEmpty { leaving?.fulfil() }
  }

  /// Returns when all links have ended, or after a while.
  func endAllLinks() async {
    guard !links.isEmpty else { return }
    let promise = Promise<Void>()
    leaving = promise
    disconnect(nil, .remoteUserTerminated)
    let limit = EventLoop.after(Self.patience) { promise.fulfil() }
    await promise.value()
    limit.cancel()
    leaving = nil
    for handle in links.keys { disconnected(handle, .localHost) }
  }
}
