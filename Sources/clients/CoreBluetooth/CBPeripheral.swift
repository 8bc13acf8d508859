internal import BlemuJSON
public import Foundation

public enum CBPeripheralState: Int, Sendable {
  case disconnected, connecting, connected, disconnecting
}

public enum CBCharacteristicWriteType: Int, Sendable {
  case withResponse, withoutResponse
}

public typealias CBL2CAPPSM = UInt16

/// There are none: ``CBPeripheral/openL2CAPChannel(_:)`` fails.
open class CBL2CAPChannel: NSObject {
  override init() {}
}

/// A device, as its manager sees it. Its methods return at once; the delegate hears of what came of them, on the queue of the
/// manager.
open class CBPeripheral: CBPeer {
  open weak var delegate: (any CBPeripheralDelegate)?
  @_Guarded public internal(set) var name: String?
  @_Guarded public internal(set) var state = CBPeripheralState.disconnected
  /// Those that have been discovered on this connection; nil: none yet.
  @_Guarded public private(set) var services: [CBService]?
  @_Guarded private var mtu = 23
  @_Guarded private var commands = 0

  private(set) weak var manager: CBCentralManager?
  // What follows is confined to the queue of the manager.
  weak var device: MemoryDevice?
  var advertisement: Advertisement?
  /// Connects or is connected.
  var usesLink = false
  private var everyService: [CBService]?
  private var characteristics: [Int: CBCharacteristic] = [:]
  private var isFull = false

  init(identifier: UUID, of manager: CBCentralManager) {
    self.manager = manager
    super.init(identifier: identifier)
  }

  open override var description: String {
    "<CBPeripheral: identifier = \(identifier), name = \(name ?? "(null)"), mtu = \(mtu), state = \(state)>"
  }

  // MARK: Discovering

  /// iOS keeps these for itself: GAP, GATT and HID.
  private static let hidden = ["1800", "1801", "1812"].map { CBUUID(string: $0) }
  private static let serviceChanged = CBUUID(string: "2A05")

  open func discoverServices(_ serviceUUIDs: [CBUUID]?) {
    perform { peripheral in
      peripheral.withServices { every in
        let found = every.matching(serviceUUIDs).filter { $0.isPrimary && !Self.hidden.contains($0.uuid) }
        peripheral.services = found.joining(peripheral.services)
        peripheral.delegate?.peripheral(peripheral, didDiscoverServices: nil)
      }
    }
  }

  open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
    perform { peripheral in
      peripheral.withServices { every in
        let found = every.matching(includedServiceUUIDs).filter { service.included.contains($0.handle) }
        service.includedServices = found.joining(service.includedServices)
        peripheral.delegate?.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: nil)
      }
    }
  }

  open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
    perform { peripheral in
      let found = service.everyCharacteristic.matching(characteristicUUIDs)
      service.characteristics = found.joining(service.characteristics)
      peripheral.delegate?.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: nil)
    }
  }

  open func discoverDescriptors(for characteristic: CBCharacteristic) {
    perform { peripheral in
      characteristic.descriptors = characteristic.everyDescriptor
      peripheral.delegate?.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: nil)
    }
  }

  /// Asks the device what it has, once for each link and each change.
  private func withServices(_ body: @escaping ([CBService]) -> Void) {
    if let everyService { return body(everyService) }
    device?.ask(["do": "discover"]) { [weak self] result in
      guard let self else { return }
      if everyService == nil, case .success(let result) = result { take(.init(result, of: self)) }
      body(everyService ?? [])
    }
  }

  private func take(_ services: [CBService]) {
    everyService = services
    let all = services.flatMap(\.everyCharacteristic)
    characteristics = Dictionary(all.map { ($0.handle, $0) }) { first, _ in first }
  }

  /// - Parameter value: the first and the last handle of what has changed (Core Specification, Vol 3, Part G, 7.1).
  private func takeServiceChanged(_ value: Data) {
    let bytes = value.map(Int.init)
    guard bytes.count == 4 else { return }
    let changed = bytes[0] | bytes[1] << 8...max(bytes[0] | bytes[1] << 8, bytes[2] | bytes[3] << 8)
    let kept = (everyService ?? []).filter { !changed.overlaps($0.handle...$0.end) }
    everyService = nil
    withServices { [weak self] every in
      guard let self else { return }
      take(every.map { new in kept.first { $0.handle == new.handle && $0.uuid == new.uuid } ?? new })
      let invalidated = (services ?? []).filter { service in !kept.contains { $0 === service } }
      services = services?.filter { service in kept.contains { $0 === service } }
      delegate?.peripheral(self, didModifyServices: invalidated)
    }
  }

  // MARK: Reading and writing

  /// How many commands iOS takes before ``canSendWriteWithoutResponse`` is false.
  private static let mostCommands = 8

  open func readValue(for characteristic: CBCharacteristic) {
    perform { peripheral in
      peripheral.request("read", characteristic) { value, error in
        if let value { characteristic.value = value }
        peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: characteristic, error: error)
      }
    }
  }

  open func readValue(for descriptor: CBDescriptor) {
    perform { peripheral in
      peripheral.request("read", descriptor) { value, error in
        if let value { descriptor.value = descriptor.value(of: value) }
        peripheral.delegate?.peripheral(peripheral, didUpdateValueFor: descriptor, error: error)
      }
    }
  }

  /// The most bytes of one write. iOS cuts longer values into parts itself only with a response.
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
    type == .withResponse ? 512 : mtu - 3
  }

  open var canSendWriteWithoutResponse: Bool { commands < Self.mostCommands }

  open func writeValue(
    _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
  ) {
    guard type == .withoutResponse else {
      return perform { peripheral in
        peripheral.request("write", characteristic, data) { _, error in
          peripheral.delegate?.peripheral(peripheral, didWriteValueFor: characteristic, error: error)
        }
      }
    }
    guard characteristic.properties.contains(.writeWithoutResponse) else {
      return warn(
        "\(characteristic) does not specify the \"Write Without Response\" property: the write is ignored")
    }
    guard data.count <= maximumWriteValueLength(for: type) else {
      return warn("a write without response of \(data.count) bytes is too long: it is ignored")
    }
    _commands.change { $0 += 1 }
    perform { peripheral in
      if !peripheral.canSendWriteWithoutResponse { peripheral.isFull = true }
      peripheral.request("write", characteristic, data, isCommand: true) { _, _ in
        peripheral._commands.change { $0 = max(0, $0 - 1) }
        guard peripheral.isFull, peripheral.canSendWriteWithoutResponse else { return }
        peripheral.isFull = false
        peripheral.delegate?.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
      }
    }
  }

  open func writeValue(_ data: Data, for descriptor: CBDescriptor) {
    // An exception on iOS.
    precondition(descriptor.uuid != CBDescriptor.configuration, "use setNotifyValue(_:for:) to write 2902")
    perform { peripheral in
      peripheral.request("write", descriptor, data) { _, error in
        peripheral.delegate?.peripheral(peripheral, didWriteValueFor: descriptor, error: error)
      }
    }
  }

  open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
    perform { peripheral in
      peripheral.subscribe(characteristic, enabled) { error in
        peripheral.delegate?.peripheral(
          peripheral, didUpdateNotificationStateFor: characteristic, error: error)
      }
    }
  }

  private func subscribe(
    _ characteristic: CBCharacteristic, _ enabled: Bool, _ finish: @escaping ((any Error)?) -> Void
  ) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
      return finish(CBATTError(.requestNotSupported))
    }
    guard
      let descriptor = characteristic.everyDescriptor.first(where: { $0.uuid == CBDescriptor.configuration })
    else { return finish(CBATTError(.attributeNotFound)) }
    let bit: UInt8 = characteristic.properties.contains(.notify) ? 1 : 2
    request("write", descriptor, Data([enabled ? bit : 0, 0])) { _, error in
      if error == nil { characteristic.isNotifying = enabled }
      finish(error)
    }
  }

  open func readRSSI() {
    perform { peripheral in
      let rssi = peripheral.advertisement?.rssi ?? -50
      peripheral.delegate?.peripheral(peripheral, didReadRSSI: rssi, error: nil)
    }
  }

  /// Fails: devices in memory have no channels here.
  open func openL2CAPChannel(_ PSM: CBL2CAPPSM) {
    perform { peripheral in
      peripheral.delegate?.peripheral(peripheral, didOpen: nil, error: CBError(.operationNotSupported))
    }
  }

  /// A value has come. iOS does not give an app what it has not subscribed to.
  func take(_ event: JSONValue) {
    guard let value = Data(hex: event["value"]?.text ?? ""),
      let characteristic = event["handle"]?.wholeNumber.flatMap({ characteristics[$0] })
    else { return }
    if characteristic.uuid == Self.serviceChanged { return takeServiceChanged(value) }
    guard characteristic.isNotifying else { return }
    characteristic.value = value
    delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
  }

  // MARK: Requests

  /// Lets the body run on the queue of the manager if the device is connected then, too.
  private func perform(_ body: @escaping (CBPeripheral) -> Void) {
    guard state == .connected else {
      return warn("API MISUSE: \(self) can only accept commands while in the connected state")
    }
    manager?.perform { [self] in if state == .connected { body(self) } }
  }

  private func request(
    _ act: String, _ attribute: CBAttribute, _ value: Data? = nil, isCommand: Bool = false,
    _ finish: @escaping (Data?, (any Error)?) -> Void
  ) {
    request(
      ([:] as JSONValue).adding([
        "do": .string(act), "handle": .integer(attribute.handle), "value": value.map { .string($0.hex()) },
        "kind": isCommand ? "command" : nil,
      ]), finish)
  }

  /// Pairs if the device refuses for lack of it, and repeats the request, as iOS does.
  private func request(
    _ parameters: JSONValue, mayPair: Bool = true, _ finish: @escaping (Data?, (any Error)?) -> Void
  ) {
    device?.ask(parameters, isFirst: !mayPair) { [weak self] result in
      switch Response(result) {
      case .accepted(let value): finish(value, nil)
      case .refused(let error)
      where mayPair && (error.code == .insufficientAuthentication || error.code == .insufficientEncryption):
        self?.pair { isPaired in
          guard isPaired else { return finish(nil, error) }
          self?.request(parameters, mayPair: false, finish)
        }
      case .refused(let error): finish(nil, error)
      case .failed: finish(nil, CBError(.unknown))
      }
    }
  }

  private func pair(_ finish: @escaping (Bool) -> Void) {
    let passkey = BlemuPhone.passkey?(name ?? "")
    let parameters = (["do": "pair"] as JSONValue).adding(["passkey": passkey.map(JSONValue.integer)])
    device?.ask(parameters, isFirst: true) { [weak self] result in
      if case .accepted = Response(result) { return finish(true) }
      finish(false)
      // The link ends with that.
      if let self { manager?.end(self, CBError(.peripheralDisconnected)) }
    }
  }

  // MARK: The link

  func begin(mtu: Int) {
    (self.mtu, state) = (mtu, .connected)
    commands = 0
    isFull = false
  }

  /// Hears of changes of the services, as iOS does by itself.
  func subscribeToServiceChanged() {
    withServices { [weak self] every in
      let all = every.flatMap(\.everyCharacteristic)
      guard let changed = all.first(where: { $0.uuid == Self.serviceChanged }) else { return }
      self?.subscribe(changed, true) { _ in }
    }
  }

  func has(_ uuids: [CBUUID]) -> Bool {
    let all = (services ?? []).map(\.uuid) + (advertisement?.services ?? [])
    return uuids.contains { all.contains($0) }
  }

  func end() {
    (state, usesLink) = (.disconnected, false)
    for characteristic in characteristics.values { characteristic.isNotifying = false }
    (services, everyService, characteristics) = (nil, nil, [:])
    device?.forgetRequests()
  }
}

/// Says what iOS says in its log.
func warn(_ text: String) { FileHandle.standardError.write(Data("[CoreBluetooth] \(text)\n".utf8)) }

extension Array where Element: CBAttribute {
  /// nil and no UUIDs stand for all.
  fileprivate func matching(_ uuids: [CBUUID]?) -> [Element] {
    guard let uuids, !uuids.isEmpty else { return self }
    return filter { uuids.contains($0.uuid) }
  }

  fileprivate func joining(_ others: [Element]?) -> [Element] {
    let others = others ?? []
    return (others + filter { new in !others.contains { $0 === new } }).sorted { $0.handle < $1.handle }
  }
}
