import CoreBluetooth

/// Reads the history of a fitness bracelet, on a queue of its own.
public final class BraceletManager: NSObject {
  /// Called with the samples of the day, or with nil if the bracelet does not answer.
  public typealias Completion = ([UInt8]?) -> Void

  private let queue = DispatchQueue(label: "bracelet")
  private var central: CBCentralManager!
  private var bracelet: CBPeripheral?
  private var serial: CBCharacteristic?
  private var request: Request?

  private struct Request {
    let month: UInt8
    let day: UInt8
    let completion: Completion
    var count: UInt8?
    var samples: [UInt8] = []
    var attempts = 0
  }

  override public init() {
    super.init()
    central = CBCentralManager(delegate: self, queue: queue)
  }

  public func readSamples(month: UInt8, day: UInt8, completion: @escaping Completion) {
    queue.async {
      self.request = Request(month: month, day: day, completion: completion)
      self.ask()
    }
  }

  /// Asks for the number of packets, and then for each; again if nothing comes within 200 ms, three times in all.
  private func ask() {
    guard let bracelet = bracelet, let serial = serial, var request = request else { return }
    guard request.attempts < 3 else { return finish(with: nil) }
    request.attempts += 1
    self.request = request
    var frame: [UInt8] = [0xA5, 6, 0x03, request.month, request.day]
    if request.count != nil {
      frame = [0xA5, 7, 0x04, request.month, request.day, UInt8(request.samples.count / 15)]
    }
    bracelet.writeValue(Data(frame + [checksum(frame)]), for: serial, type: .withResponse)
    let (count, attempts) = (request.samples.count, request.attempts)
    queue.asyncAfter(deadline: .now() + 0.2) {
      if self.request?.samples.count == count, self.request?.attempts == attempts { self.ask() }
    }
  }

  private func take(_ frame: [UInt8]) {
    guard var request = request, frame.count > 3, frame[0] == 0xA5, checksum(frame) == 0 else { return }
    if request.count == nil, frame.count == 6, frame[2] == 0x83 {
      request.count = frame[3]
    } else if frame.count == 20, frame[2] == 0x84, Int(frame[3]) == request.samples.count / 15 {
      request.samples += frame[4..<19]
    } else {
      return
    }
    request.attempts = 0
    self.request = request
    if request.samples.count / 15 == request.count.map(Int.init) {
      finish(with: request.samples)
    } else {
      ask()
    }
  }

  private func finish(with samples: [UInt8]?) {
    let completion = request?.completion
    request = nil
    completion?(samples)
  }

  private func checksum(_ bytes: [UInt8]) -> UInt8 { bytes.reduce(0, ^) }
}

extension BraceletManager: CBCentralManagerDelegate, CBPeripheralDelegate {
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    switch central.state {
    case .poweredOn: central.scanForPeripherals(withServices: [CBUUID(string: "FFE0")])
    default: serial = nil
    }
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard advertisementData[CBAdvertisementDataLocalNameKey] as? String == "Bracelet" else { return }
    central.stopScan()
    bracelet = peripheral
    bracelet?.delegate = self
    central.connect(peripheral)
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices(nil)
  }

  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    peripheral.services?.forEach { peripheral.discoverCharacteristics(nil, for: $0) }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
  ) {
    guard let found = service.characteristics?.first(where: { $0.uuid == CBUUID(string: "FFE1") }) else {
      return
    }
    serial = found
    peripheral.setNotifyValue(true, for: found)
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: Error?
  ) {
    ask()
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
  ) {
    take([UInt8](characteristic.value ?? Data()))
  }
}
