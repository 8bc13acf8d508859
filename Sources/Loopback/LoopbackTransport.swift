import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import GATTServer
import Peripheral

/// A transport without a radio: a ``GATTServer`` whose channels are in memory. ``connect(_:mtu:)`` connects a central.
@EventLoop
package final class LoopbackTransport: Transport {
  package var host: (any TransportHost)? {
    get { server.host }
    set { server.host = newValue }
  }
  package let limits: any TransportLimits
  /// The current advertisement; nil while the device is not advertising.
  package private(set) var advertisement: Advertisement?
  let server: GATTServer
  private let adapter: LocalAdapter
  private var centrals: [LoopbackCentral] = []

  /// - Parameters:
  ///   - limits: the limits of the transport to imitate.
  ///   - scheduler: the time of the links.
  package init(
    address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 1])!, limits: any TransportLimits = NoLimits(),
    scheduler: any Scheduler = EventLoopScheduler()
  ) {
    self.limits = limits
    adapter = LocalAdapter(name: "loopback", address: address, stack: "no radio")
    server = GATTServer(scheduler: scheduler)
    server.disconnect = { [weak self] in self?.disconnect($0.central) }
  }

  package var device: DeviceOnAir? { server.device }

  package func open() async throws -> LocalAdapter { adapter }

  package func watchCentrals() {}

  package func goOnAir(_ device: DeviceOnAir) async throws {
    try checkLimits(of: device)
    server.start(device)
    advertisement = device.advertisement
  }

  package func leaveAir() async {
    for central in centrals { central.disconnect() }
    server.stop()
    advertisement = nil
  }

  package func serve(_ table: AttributeTable) { server.serve(table) }

  package func advertise(_ advertisement: Advertisement?) { self.advertisement = advertisement }

  package func disconnect(_ central: Central?) {
    for each in centrals where central == nil || each.address == central {
      each.disconnect()
      each.onDisconnect?()
    }
  }
}

// MARK: Centrals

extension LoopbackTransport {
  /// Connects a central, which asks for an ATT_MTU unless it is the default.
  package func connect(_ address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 2])!, mtu: Int = 23)
    -> LoopbackCentral
  {
    centrals.first { $0.address == address }?.disconnect()
    let central = LoopbackCentral(address, transport: self)
    centrals.append(central)
    central.connect(mtu: mtu)
    return central
  }

  func remove(_ central: LoopbackCentral) {
    centrals.removeAll { $0 === central }
    if let link = server[central.address] { server.ended(link) }
  }

  package func mtu(of central: Central) -> Int? { server[central]?.mtu }
}

// MARK: Values

extension LoopbackTransport {
  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    server.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    server.send(value, from: characteristic, to: recipients)
  }
}
