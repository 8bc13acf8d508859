import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// A transport without a radio. ``connect(_:mtu:)`` connects a central.
///
/// It follows the rules of ATT that affect a device's behaviour: a subscription needs a notify or indicate property, a
/// write needs one of the write properties, and the MTU cuts longer notifications.
@EventLoop
package final class LoopbackTransport: Transport {
  package weak var host: (any TransportHost)?
  package let limits: any TransportLimits
  package private(set) var device: DeviceOnAir?
  /// The current advertisement; nil while the device is not advertising.
  package private(set) var advertisement: Advertisement?
  private let adapter: LocalAdapter
  /// In the order in which they connected.
  private var links: [LoopbackCentral] = []

  /// - Parameter limits: the limits of the transport to imitate.
  package init(
    address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 1])!, limits: any TransportLimits = NoLimits()
  ) {
    self.limits = limits
    adapter = LocalAdapter(name: "loopback", address: address, stack: "no radio")
  }

  package func open() async throws -> LocalAdapter { adapter }

  package func watchCentrals() {}

  package func goOnAir(_ device: DeviceOnAir) async throws {
    try checkLimits(of: device)
    self.device = device
    advertisement = device.advertisement
  }

  package func leaveAir() async {
    for central in links { central.disconnect() }
    device = nil
    advertisement = nil
  }

  package func serve(_ table: AttributeTable) { device?.table = table }

  package func advertise(_ advertisement: Advertisement?) { self.advertisement = advertisement }

  package func disconnect(_ central: Central?) {
    for link in links where central == nil || link.address == central {
      link.disconnect()
      link.onDisconnect?()
    }
  }
}

// MARK: Centrals

extension LoopbackTransport {
  /// Connects a central.
  ///
  /// - Parameter mtu: the link's ATT_MTU, bytes.
  package func connect(_ address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 2])!, mtu: Int = 23)
    -> LoopbackCentral
  {
    links.first { $0.address == address }?.disconnect()
    let central = LoopbackCentral(address, mtu: mtu, transport: self)
    links.append(central)
    host?.receive(.connected(address))
    return central
  }

  func remove(_ central: LoopbackCentral) {
    guard let index = links.firstIndex(where: { $0 === central }) else { return }
    links.remove(at: index)
    for characteristic in central.endSubscriptions() {
      host?.receive(.unsubscribed(central.address, characteristic: characteristic))
    }
    host?.receive(.disconnected(central.address))
  }

  package func mtu(of central: Central) -> Int? { links.first { $0.address == central }?.mtu }
}

// MARK: Values

extension LoopbackTransport {
  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    links(of: recipients, characteristic).map { $0.mtu - 3 }.min()
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    let links = links(of: recipients, characteristic)
    guard !links.isEmpty else { return .nobodySubscribed }
    var outcome = SendOutcome.indicated
    for central in links {
      let delivery = central.subscriptions[characteristic] ?? .notification
      if delivery == .notification { outcome = .notified }
      central.take(Array(value.prefix(central.mtu - 3)), from: characteristic, as: delivery)
    }
    return outcome
  }

  private func links(of recipients: Recipients, _ characteristic: Int) -> [LoopbackCentral] {
    links.filter { link in
      let hasSubscribed = link.subscriptions[characteristic] != nil
      return switch recipients {
      case .subscribers: hasSubscribed
      case .subscriber(let address): hasSubscribed && link.address == address
      case .central(let address): link.address == address
      }
    }
  }
}

// MARK: Attributes

extension LoopbackTransport {
  /// The device, if it has the attribute now.
  func definition(with attribute: AttributeReference) -> PeripheralDefinition? {
    switch attribute {
    case .characteristic(let index), .descriptor(_, of: let index):
      device.flatMap { $0.table.contains(index) ? $0.definition : nil }
    }
  }
}
