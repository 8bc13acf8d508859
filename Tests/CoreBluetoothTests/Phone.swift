import CoreBluetooth
import Synchronization

/// An app that notes what its delegate hears, one line each, for a test to await.
@MainActor final class Phone: NSObject {
  private(set) var manager: CBCentralManager!
  private(set) var peripherals: [CBPeripheral] = []
  private let (lines, sender) = AsyncStream.makeStream(of: String.self)

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: nil)
  }

  func next() async -> String? {
    var iterator = lines.makeAsyncIterator()
    return await iterator.next(isolation: #isolation)
  }

  /// The first characteristic with this UUID, of those that have been discovered.
  func characteristic(_ uuid: String) -> CBCharacteristic? {
    peripherals.flatMap { $0.services ?? [] }.flatMap { $0.characteristics ?? [] }.first {
      $0.uuid == CBUUID(string: uuid)
    }
  }

  private func note(_ line: String, _ error: (any Error)? = nil) {
    sender.yield(line + (error.map { ": \($0.localizedDescription)" } ?? ""))
  }
}

extension Phone: @preconcurrency CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) { note("\(central.state)") }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    if !peripherals.contains(peripheral) { peripherals.append(peripheral) }
    peripheral.delegate = self
    let data = advertisementData.map { "\($0.key.dropFirst(10))=\($0.value)" }.sorted()
    note("found \(peripheral.name ?? "") \(RSSI) \(data.joined(separator: " "))")
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { note("connected") }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) { note("disconnected", error) }
}

extension Phone: @preconcurrency CBPeripheralDelegate {
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) { note("name \(peripheral.name ?? "")") }

  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    note("modified \(invalidatedServices.map(\.uuid.uuidString))")
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    note("services \(peripheral.services?.map(\.uuid.uuidString) ?? [])", error)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
  ) { note("included \(service.includedServices?.map(\.uuid.uuidString) ?? [])", error) }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) { note("characteristics \(service.characteristics?.map(\.uuid.uuidString) ?? [])", error) }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) { note("descriptors \(characteristic.descriptors?.map(\.uuid.uuidString) ?? [])", error) }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) { note("value \(characteristic.uuid) \(characteristic.value.map { [UInt8]($0) } ?? [])", error) }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  ) { note("value \(descriptor.uuid) \(descriptor.value ?? "nil")", error) }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) { note("wrote \(characteristic.uuid)", error) }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) { note("notifying \(characteristic.uuid) \(characteristic.isNotifying)", error) }

  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    note("rssi \(RSSI)", error)
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { note("ready") }
}

/// An app on a concurrent queue, which takes its time, and notes how many callbacks came at once.
final class Listener: NSObject, CBCentralManagerDelegate, Sendable {
  let queue = DispatchQueue(label: "Listener", attributes: .concurrent)
  let most = Mutex(0)
  let (names, sender) = AsyncStream.makeStream(of: String.self)
  private let now = Mutex(0)

  private func takeTime() {
    dispatchPrecondition(condition: .onQueue(queue))
    let count = now.withLock { now in
      now += 1
      return now
    }
    most.withLock { $0 = max($0, count) }
    usleep(20_000)
    now.withLock { $0 -= 1 }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    central.scanForPeripherals(withServices: nil)
    takeTime()
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    sender.yield(peripheral.name ?? "")
    takeTime()
  }
}
