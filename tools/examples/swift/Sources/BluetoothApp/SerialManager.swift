import CoreBluetooth

/// What an app hears of its serial module.
public protocol SerialManagerDelegate: AnyObject {
  func serialDidConnect(_ serial: SerialManager)
  func serial(_ serial: SerialManager, didReceive text: String)
  func serial(_ serial: SerialManager, didDisconnectWith error: Error?)
}

/// Talks to an HM-10, and connects again whenever it is lost.
public final class SerialManager: NSObject {
  public weak var delegate: SerialManagerDelegate?

  private static let service = CBUUID(string: "FFE0")
  private static let characteristic = CBUUID(string: "FFE1")

  private var central: CBCentralManager!
  private var module: CBPeripheral?
  private var serial: CBCharacteristic?
  private var unsent = Data()

  override public init() {
    super.init()
    central = CBCentralManager(delegate: self, queue: nil)
  }

  public func send(_ text: String) {
    unsent += Data(text.utf8)
    sendParts()
  }

  /// Sends as much as iOS takes now, in parts that fit into a packet.
  private func sendParts() {
    guard let module = module, let serial = serial else { return }
    while !unsent.isEmpty, module.canSendWriteWithoutResponse {
      let part = unsent.prefix(module.maximumWriteValueLength(for: .withoutResponse))
      module.writeValue(part, for: serial, type: .withoutResponse)
      unsent = unsent.dropFirst(part.count)
    }
  }
}

extension SerialManager: CBCentralManagerDelegate {
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [Self.service], options: nil)
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    central.stopScan()
    module = peripheral
    peripheral.delegate = self
    central.connect(peripheral, options: nil)
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Self.service])
  }

  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
  ) {
    serial = nil
    delegate?.serial(self, didDisconnectWith: error)
    central.connect(peripheral, options: nil)
  }
}

extension SerialManager: CBPeripheralDelegate {
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    for service in peripheral.services ?? [] {
      peripheral.discoverCharacteristics([Self.characteristic], for: service)
    }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
  ) {
    for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.notify) {
      peripheral.setNotifyValue(true, for: characteristic)
    }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
  ) {
    guard characteristic.isNotifying else { return }
    serial = characteristic
    delegate?.serialDidConnect(self)
    sendParts()
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
  ) {
    guard let value = characteristic.value, let text = String(data: value, encoding: .utf8) else { return }
    delegate?.serial(self, didReceive: text)
  }

  public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { sendParts() }
}
