import Behavior
import Bluetooth
import Definitions
import EventLoop
import Peripheral

/// A transport without a radio: the central is whoever calls ``connect(_:mtu:)``.
///
/// It keeps the rules of ATT that a device's behaviour can meet: a subscription needs a notify or indicate
/// property, a write one of the write properties, and a longer notification than the MTU allows is cut.
@EventLoop
package final class LoopbackTransport: Transport {
  package weak var host: (any TransportHost)?
  package private(set) var device: DeviceOnAir?
  /// What is advertised; nil: nothing.
  package private(set) var advertisement: Advertisement?
  private let adapter: LocalAdapter
  /// In the order in which they connected.
  private var links: [LoopbackCentral] = []

  package init(address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 1])!) {
    adapter = LocalAdapter(name: "loopback", address: address, stack: "no radio")
  }

  package func open() async throws -> LocalAdapter { adapter }

  package func watchCentrals() {}

  package func goOnAir(_ device: DeviceOnAir) async throws {
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

  package func maximumValue(of characteristic: Int) -> Int? {
    subscribers(of: characteristic).map { $0.mtu - 3 }.min()
  }

  package func send(_ value: ArraySlice<UInt8>, from characteristic: Int) -> SendOutcome {
    let subscribers = subscribers(of: characteristic)
    for central in subscribers { central.take(Array(value.prefix(central.mtu - 3)), from: characteristic) }
    guard !subscribers.isEmpty else { return .nobodySubscribed }
    return properties(of: characteristic).contains(.notify) ? .notified : .indicated
  }

  /// A central comes into range and connects.
  ///
  /// - Parameter mtu: the link's ATT_MTU, bytes.
  package func connect(_ address: DeviceAddress = DeviceAddress([0, 0, 0, 0, 0, 2])!, mtu: Int = 23)
    -> LoopbackCentral
  {
    links.first { $0.address == address }?.disconnect()
    let central = LoopbackCentral(address, mtu: mtu, transport: self)
    links.append(central)
    _ = host?.receive(.connected(address))
    return central
  }

  func remove(_ central: LoopbackCentral) {
    guard let index = links.firstIndex(where: { $0 === central }) else { return }
    links.remove(at: index)
    for characteristic in central.endSubscriptions() {
      _ = host?.receive(.unsubscribed(central.address, characteristic: characteristic))
    }
    _ = host?.receive(.disconnected(central.address))
  }

  /// Whether the device has an attribute now.
  func has(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index), .descriptor(_, of: let index): device?.table.contains(index) ?? false
    }
  }

  func properties(of characteristic: Int) -> CharacteristicProperties {
    device?.definition.characteristics[characteristic].properties ?? []
  }

  func mayRead(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index): properties(of: index).contains(.read)
    case .descriptor(let index, let characteristic): descriptor(index, of: characteristic)?.canRead ?? false
    }
  }

  func mayWrite(_ attribute: AttributeReference, _ kind: WriteKind) -> Bool {
    switch attribute {
    case .characteristic(let index):
      properties(of: index).contains(kind == .command ? .writeWithoutResponse : .write)
    case .descriptor(let index, let characteristic): descriptor(index, of: characteristic)?.canWrite ?? false
    }
  }

  private func descriptor(_ index: Int, of characteristic: Int) -> DescriptorDefinition? {
    device?.definition.characteristics[characteristic].descriptors[index]
  }

  private func subscribers(of characteristic: Int) -> [LoopbackCentral] {
    links.filter { $0.subscriptions.contains(characteristic) }
  }
}

/// The other end of a ``LoopbackTransport``.
@EventLoop
package final class LoopbackCentral {
  package let address: DeviceAddress
  package let mtu: Int
  private(set) var subscriptions: Set<Int> = []
  /// What has arrived, in order, since it was last taken.
  private var received: [(characteristic: Int, value: [UInt8])] = []
  /// Is given each value as it arrives; nil: they are kept for ``takeValues(from:)``.
  package var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)?
  /// Is called when the device has ended the connection.
  package var onDisconnect: (() -> Void)?
  private weak var transport: LoopbackTransport?

  init(_ address: DeviceAddress, mtu: Int, transport: LoopbackTransport) {
    self.address = address
    self.mtu = mtu
    self.transport = transport
  }

  package func subscribe(to characteristic: Int) throws(ATTError) {
    guard let transport else { throw .writeNotPermitted }
    guard transport.has(.characteristic(characteristic)) else { throw .attributeNotFound }
    guard !transport.properties(of: characteristic).isDisjoint(with: [.notify, .indicate]) else {
      throw .writeNotPermitted
    }
    guard subscriptions.insert(characteristic).inserted else { return }
    _ = transport.host?.receive(.subscribed(address, characteristic: characteristic))
  }

  package func unsubscribe(from characteristic: Int) {
    guard subscriptions.remove(characteristic) != nil else { return }
    _ = transport?.host?.receive(.unsubscribed(address, characteristic: characteristic))
  }

  package func write(_ value: [UInt8], to characteristic: Int, _ kind: WriteKind = .request) throws(ATTError)
  {
    try write(value, to: .characteristic(characteristic), kind)
  }

  package func write(
    _ value: [UInt8], to attribute: AttributeReference, _ kind: WriteKind = .request
  ) throws(ATTError) {
    guard let transport else { throw .writeNotPermitted }
    guard transport.has(attribute) else { throw .attributeNotFound }
    guard transport.mayWrite(attribute, kind) else { throw .writeNotPermitted }
    let event = Event.writeRequested(address, attribute, value: value, offset: 0, kind)
    if case .refused(let error) = transport.host?.receive(event) { throw error }
  }

  package func read(_ characteristic: Int) throws(ATTError) -> [UInt8] {
    try read(.characteristic(characteristic))
  }

  package func read(_ attribute: AttributeReference) throws(ATTError) -> [UInt8] {
    guard let transport else { throw .readNotPermitted }
    guard transport.has(attribute) else { throw .attributeNotFound }
    guard transport.mayRead(attribute) else { throw .readNotPermitted }
    switch transport.host?.receive(.readRequested(address, attribute, offset: 0)) {
    case .value(let value): return value
    case .refused(let error): throw error
    default: throw .unlikelyError
    }
  }

  /// The values that have arrived from a characteristic since the last call, in order.
  package func takeValues(from characteristic: Int) -> [[UInt8]] {
    defer { received.removeAll { $0.characteristic == characteristic } }
    return received.filter { $0.characteristic == characteristic }.map(\.value)
  }

  /// Leaves; what it asks for from now on is refused.
  package func disconnect() {
    transport?.remove(self)
    transport = nil
  }

  func endSubscriptions() -> [Int] {
    defer { subscriptions = [] }
    return subscriptions.sorted()
  }

  func take(_ value: [UInt8], from characteristic: Int) {
    if let onValue { return onValue(characteristic, value) }
    received.append((characteristic, value))
  }
}
