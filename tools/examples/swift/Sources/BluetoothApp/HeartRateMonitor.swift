import CoreBluetooth

/// Shows the heart rate of a chest belt, and the charge of its battery.
public final class HeartRateMonitor: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  public var onHeartRate: ((Int) -> Void)?
  public var onBattery: ((Int) -> Void)?

  private let heartRate = CBUUID(string: "180D")
  private let measurement = CBUUID(string: "2A37")
  private let battery = CBUUID(string: "180F")
  private let level = CBUUID(string: "2A19")
  private var centralManager: CBCentralManager!
  private var belt: CBPeripheral?

  public func start() { centralManager = CBCentralManager(delegate: self, queue: .main) }

  // MARK: - CBCentralManagerDelegate

  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [heartRate]) }
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    belt = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([heartRate, battery])
  }

  // MARK: - CBPeripheralDelegate

  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    guard let services = peripheral.services else { return }
    for service in services { peripheral.discoverCharacteristics([measurement, level], for: service) }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
  ) {
    guard let characteristics = service.characteristics else { return }
    for characteristic in characteristics {
      if characteristic.properties.contains(.read) { peripheral.readValue(for: characteristic) }
      if characteristic.properties.contains(.notify) { peripheral.setNotifyValue(true, for: characteristic) }
    }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
  ) {
    guard error == nil, let value = characteristic.value.map([UInt8].init), value.count > 0 else { return }
    switch characteristic.uuid {
    case level: onBattery?(Int(value[0]))
    case measurement where value[0] & 1 == 0: onHeartRate?(Int(value[1]))
    case measurement: onHeartRate?(Int(value[1]) | Int(value[2]) << 8)
    default: break
    }
  }
}
