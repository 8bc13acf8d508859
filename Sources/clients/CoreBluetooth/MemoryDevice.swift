internal import BlemuControl
internal import BlemuJSON
import Foundation

/// A device in memory, at which this process is a central, on a connection of its own. Confined to the queue of its manager.
final class MemoryDevice {
  private let link: DeviceLink
  private let queue: DispatchQueue
  /// The name of its definition.
  var kind = ""
  /// What an app sees of it, by the address of the advertisement.
  var peripherals: [String: CBPeripheral] = [:]
  private var waiting: [Request] = []
  private var isBusy = false
  /// How many links to the device have ended: what they had asked has no answer.
  private var endedLinks = 0

  private struct Request {
    var parameters: JSONValue
    var finish: (Result<JSONValue, any Error>) -> Void
  }

  /// - Parameter take: called on the queue with what happens to the central; nil: the device has ended.
  init(_ link: DeviceLink, _ queue: DispatchQueue, _ take: @escaping (JSONValue?) -> Void) {
    (self.link, self.queue) = (link, queue)
    link.onCentral(queue.bring(take))
  }

  deinit { link.close() }

  /// Asks for something, after what waits already: ATT has one request at a time.
  ///
  /// - Parameters:
  ///   - isFirst: before what waits.
  ///   - finish: called on the queue, unless the link to the device ends before.
  func ask(
    _ parameters: JSONValue, isFirst: Bool = false,
    _ finish: @escaping (Result<JSONValue, any Error>) -> Void
  ) {
    waiting.insert(Request(parameters: parameters, finish: finish), at: isFirst ? 0 : waiting.count)
    askNext()
  }

  private func askNext() {
    guard !isBusy, !waiting.isEmpty else { return }
    isBusy = true
    let request = waiting.removeFirst()
    let link = endedLinks
    send(request.parameters) { [weak self] result in
      guard let self, link == endedLinks else { return }
      isBusy = false
      request.finish(result)
      askNext()
    }
  }

  /// Ends the link, whatever waits.
  func disconnect() {
    forgetRequests()
    send(["do": "disconnect"]) { _ in }
  }

  func forgetRequests() {
    endedLinks += 1
    (waiting, isBusy) = ([], false)
  }

  private func send(_ parameters: JSONValue, _ finish: @escaping (Result<JSONValue, any Error>) -> Void) {
    // The device gives up after 30 s of its own time, which a test may hold.
    link.call(.central, parameters, wait: .seconds(3600), queue.bring(finish))
  }
}

/// What a device answers to a read, a write or to pairing.
enum Response {
  case accepted(Data)
  case refused(CBATTError)
  case failed

  init(_ result: Result<JSONValue, any Error>) {
    switch result {
    case .success(let result) where result["response"] == "refused":
      self = .refused(CBATTError(number: result["code"]?.wholeNumber ?? CBATTError.unlikelyError.rawValue))
    case .success(let result): self = .accepted(Data(hex: result["value"]?.text ?? "") ?? Data())
    case .failure: self = .failed
    }
  }
}

extension [CBService] {
  /// Reads what a device has.
  init(_ result: JSONValue, of peripheral: CBPeripheral) {
    self = (result["services"]?.elements ?? []).map { CBService($0, of: peripheral) }
  }
}

extension CBService {
  fileprivate convenience init(_ value: JSONValue, of peripheral: CBPeripheral) {
    let handle = value["handle"]?.wholeNumber ?? 0
    self.init(
      uuid: CBUUID(value), handles: handle...Swift.max(handle, value["end"]?.wholeNumber ?? handle),
      isPrimary: value["primary"]?.truth ?? true,
      included: (value["includes"]?.elements ?? []).compactMap(\.wholeNumber))
    self.peripheral = peripheral
    everyCharacteristic = (value["characteristics"]?.elements ?? []).map { value in
      let characteristic = CBCharacteristic(
        uuid: CBUUID(value), handle: value["handle"]?.wholeNumber ?? 0,
        properties: CBCharacteristicProperties((value["properties"]?.elements ?? []).compactMap(\.text)))
      characteristic.service = self
      characteristic.everyDescriptor = (value["descriptors"]?.elements ?? []).map { value in
        let descriptor = CBDescriptor(uuid: CBUUID(value), handle: value["handle"]?.wholeNumber ?? 0)
        descriptor.characteristic = characteristic
        return descriptor
      }
      return characteristic
    }
  }
}

extension CBUUID {
  fileprivate convenience init(_ value: JSONValue) { self.init(string: value["uuid"]?.text ?? "0000") }
}

extension CBCharacteristicProperties {
  fileprivate init(_ names: [String]) {
    let words: [String: Self] = [
      "broadcast": .broadcast, "read": .read, "write-without-response": .writeWithoutResponse,
      "write": .write, "notify": .notify, "indicate": .indicate,
      "authenticated-signed-writes": .authenticatedSignedWrites, "extended-properties": .extendedProperties,
    ]
    self.init(names.compactMap { words[$0] })
  }
}

/// What a device advertises.
struct Advertisement {
  let name: String?
  let services: [CBUUID]
  let isConnectable: Bool
  /// Seconds.
  let interval: Double
  let rssi: NSNumber
  /// As iOS gives it to the app.
  let data: [String: Any]

  /// nil: it does not advertise.
  init?(_ value: JSONValue?) {
    guard let value, value != .null else { return nil }
    name = value["local-name"]?.text
    services = (value["services"]?.elements ?? []).compactMap(\.text).map { CBUUID(string: $0) }
    isConnectable = value["connectable"]?.truth ?? true
    interval = Double(value["interval"]?.wholeNumber ?? 100) / 1000
    rssi = NSNumber(value: value["rssi"]?.wholeNumber ?? -50)
    var data: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)]
    data[CBAdvertisementDataLocalNameKey] = name
    if !services.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = services }
    if let first = value["manufacturer-data"]?.members?.first,
      let company = UInt16(first.name, radix: 16)
    {
      let number = Data([UInt8(company & 0xFF), UInt8(company >> 8)])
      data[CBAdvertisementDataManufacturerDataKey] = number + (Data(hex: first.value.text ?? "") ?? Data())
    }
    if let members = value["service-data"]?.members, !members.isEmpty {
      let pairs = members.map { (CBUUID(string: $0.name), Data(hex: $0.value.text ?? "") ?? Data()) }
      data[CBAdvertisementDataServiceDataKey] = Dictionary(pairs) { first, _ in first }
    }
    data[CBAdvertisementDataTxPowerLevelKey] = value["tx-power"]?.wholeNumber.map { NSNumber(value: $0) }
    self.data = data
  }
}
