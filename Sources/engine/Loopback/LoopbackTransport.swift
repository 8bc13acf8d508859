import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A transport without a radio: a ``GATTServer`` whose channels are in memory. ``connect(_:mtu:)`` connects a central.
@EventLoop
package final class LoopbackTransport: ServerTransport {
  package let limits: any TransportLimits
  /// The current advertisement; nil while the device is not advertising.
  package private(set) var advertisement: Advertisement?
  /// Called after the device has changed its advertisement, or how it is received.
  package var onAdvertising: (() -> Void)?
  /// How centrals receive the device.
  package private(set) var path = RadioPath()
  package let server: GATTServer
  let pairing: LoopbackPairing
  private let adapter: LocalAdapter
  private let scheduler: any Scheduler
  private let linksTakeTime: Bool
  /// Ends the advertisement.
  private var timeout: AnyObject?
  private var links: [LoopbackLink] = []
  /// How many links have had a private address.
  private var privateCount = 0

  /// - Parameters:
  ///   - limits: the limits of the transport to imitate.
  ///   - scheduler: the time of the links.
  ///   - linksTakeTime: whether PDUs wait for the connection events of their link; otherwise they arrive at once.
  package init(
    address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 1])!, limits: any TransportLimits = NoLimits(),
    scheduler: any Scheduler = EventLoopScheduler(), linksTakeTime: Bool = false
  ) {
    (self.limits, self.linksTakeTime) = (limits, linksTakeTime)
    adapter = LocalAdapter(name: "loopback", address: address, stack: "no radio", isReal: false)
    self.scheduler = scheduler
    server = GATTServer(scheduler: scheduler)
    pairing = LoopbackPairing(server)
    server.disconnect = { [weak self] in self?.disconnect($0.central, .remoteUserTerminated) }
  }

  package var device: DeviceOnAir? { server.device }

  package func open() async throws -> LocalAdapter { adapter }

  package func watchCentrals() {}

  package func goOnAir(_ device: DeviceOnAir) async throws {
    try checkLimits(of: device)
    server.start(device)
    recorder?.begin(device, on: adapter.address)
    advertise(device.advertisement)
  }

  package func leaveAir() async {
    for link in links { link.disconnect(.localHost) }
    server.stop()
    advertise(nil)
  }

  package func serve(_ table: AttributeTable, toConnected: Bool) {
    server.serve(table)
    guard toConnected else { return }
    for link in links { link.onAttributes?(server.database) }
    server.updateLinks()
  }

  package func pair(_ policy: PairingPolicy?) { server.pair(policy) }

  package func forget(_ central: Central?) { server.forget(central) }

  package func advertise(_ advertisement: Advertisement?) {
    self.advertisement = advertisement
    recorder?.advertise(advertisement)
    onAdvertising?()
    timeout = advertisement?.timeout.map { limit in
      scheduler.schedule(at: scheduler.now.advanced(by: limit)) { [weak self] in self?.advertise(nil) }
    }
  }

  package func disconnect(_ central: Central?, _ reason: HCIError) {
    for link in links where central == nil || link.address == central {
      recorder?.ends(link.address, reason)
      link.end(reason)
    }
  }

  /// nil: what is sent arrives at once.
  func makeEvents() -> ConnectionEvents? { linksTakeTime ? ConnectionEvents(scheduler, path) : nil }
}

extension LoopbackTransport {
  package func loseLink(of central: Central?) {
    for link in links where central == nil || link.address == central {
      link.lose(.supervisionTimeout, seenAs: .supervisionTimeout)
    }
  }

  /// Centrals in memory agree.
  package func ask(for change: LinkChange, of central: Central?) {
    for link in links where central == nil || link.address == central { link.change(change) }
  }

  /// Centrals in memory lose no packets, and out of range their links end at once, unless the links take time.
  package func move(to path: RadioPath) -> Bool {
    self.path = path
    if linksTakeTime {
      for link in links { link.events?.move(to: path) }
    } else if !path.isInRange {
      loseLink(of: nil)
    }
    onAdvertising?()
    return true
  }
}

// MARK: Centrals

extension LoopbackTransport {
  package static let central = DeviceAddress([0, 0, 0, 0, 0, 2])!

  /// Whether the device answers a central that wants to connect. It knows one with a private address by the bond only.
  package func accepts(_ address: DeviceAddress, isPrivate: Bool = false) -> Bool {
    guard let accepted = advertisement?.accepted, accepted != .all else { return true }
    let isBonded = server.bondedCentrals.contains(address)
    return (isBonded || !isPrivate) && accepted.contain(address, isBonded: isBonded)
  }

  /// Connects a central, which asks for an ATT_MTU unless it is the default. If it is bonded, it encrypts the link.
  /// If the device is recorded, it discovers the attributes, so that the recording has them.
  ///
  /// - Parameters:
  ///   - address: who the central is.
  ///   - isPrivate: whether it has a private address, another one on each link.
  ///   - attributes: what the device may find at the central; nil: nothing.
  package func connect(
    _ address: DeviceAddress = central, isPrivate: Bool = false, mtu: Int = AttributePDU.defaultMTU,
    attributes: CentralAttributes? = nil
  ) -> LoopbackCentral {
    var central: LoopbackCentral?
    let link = makeLink(address, isPrivate) { central?.receive($0) }
    let new = LoopbackCentral(link, device?.definition, server.database)
    central = new
    new.serve(attributes)
    link.open()
    _ = pairing.encrypt(link)
    if mtu > AttributePDU.defaultMTU { new.exchange(mtu: mtu) }
    if recorder != nil { new.discover() }
    return new
  }

  /// A central forgets the device: it disconnects, and loses its keys.
  package func unpair(_ address: DeviceAddress = central) {
    links.first { $0.identity == address }?.disconnect()
    loseKeys(address)
  }

  /// A central loses its keys, and does not know. An encrypted link stays so.
  package func loseKeys(_ address: DeviceAddress = central) { pairing.forget(address) }

  /// Connects a central that speaks PDUs.
  package func connectRaw(
    _ address: DeviceAddress = central, onPacket: @escaping ([UInt8]) -> Void,
    onDisconnect: @escaping () -> Void
  ) -> LoopbackLink {
    let link = makeLink(address, onPacket: onPacket)
    link.onDisconnect = onDisconnect
    link.open()
    return link
  }

  private func makeLink(
    _ identity: DeviceAddress, _ isPrivate: Bool = false, onPacket: @escaping ([UInt8]) -> Void
  ) -> LoopbackLink {
    links.first { $0.identity == identity }?.disconnect()
    if isPrivate { privateCount += 1 }
    let address = isPrivate ? LoopbackLink.privateAddress(of: identity, number: privateCount) : nil
    let link = LoopbackLink(identity, privateAddress: address, self, beside: links, onPacket: onPacket)
    links.append(link)
    return link
  }

  /// Does something later.
  func after(_ delay: Duration, _ body: @escaping @EventLoop () -> Void) -> AnyObject {
    scheduler.schedule(at: scheduler.now.advanced(by: delay), body)
  }

  func remove(_ link: LoopbackLink, _ reason: HCIError) {
    links.removeAll { $0 === link }
    if let served = server[link.address] { server.ended(served, reason) }
  }
}
