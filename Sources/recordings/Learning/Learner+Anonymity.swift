import Bluetooth
import Captures

extension Learner {
  /// Replaces what identifies the device, in what it advertised, in its values and in the conversations: its names, its Serial Number
  /// String (2A25), its System ID (2A23) and its address. Texts and bytes keep their lengths.
  package mutating func anonymize() {
    let secrets = Secrets(of: self)
    for index in device.advertisements.indices {
      device.advertisements[index].data = device.advertisements[index].data.map(secrets.replaced)
    }
    device.address?.address.anonymize()
    table.anonymize(secrets)
    for index in conversations.indices {
      for place in conversations[index].exchanges.indices {
        let handle = conversations[index].exchanges[place].handle
        conversations[index].exchanges[place].replaceValues {
          secrets.replaced($0, isWhole: secrets.handles.contains(handle))
        }
      }
    }
  }
}

/// What identifies a device.
struct Secrets {
  /// The attributes whose whole values do.
  private(set) var handles: Set<AttributeHandle> = []
  /// The longest first.
  private var values: [[UInt8]] = []

  /// A shorter value may be anywhere by chance.
  private static let least = 4
  /// Device Name, Serial Number String, System ID.
  static let uuids: Set<BluetoothUUID> = [0x2A00, 0x2A25, 0x2A23]

  init(of learner: Learner) {
    for characteristic in learner.table.characteristics where Self.uuids.contains(characteristic.uuid.uuid) {
      if let handle = characteristic.valueHandle { handles.insert(handle) }
      values += characteristic.value.values
    }
    for data in learner.device.advertisements.compactMap(\.data) {
      values += AdvertisingData(parsing: data).structures.filter(\.isName).map(\.value)
    }
    if let address = learner.device.address?.address {
      values += [address.littleEndianBytes, address.littleEndianBytes.reversed()]
    }
    values = Set(values).filter { $0.count >= Self.least }.sorted { $0.count > $1.count }
  }

  /// - Parameter isWhole: whether all of it identifies the device.
  func replaced(_ bytes: [UInt8], isWhole: Bool) -> [UInt8] {
    isWhole ? Self.placeholder(for: bytes) : replaced(bytes)
  }

  /// Advertising data or a value without the secrets. A name of any length is replaced where it has its place.
  func replaced(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for secret in values {
      var place = 0
      while place + secret.count <= bytes.count {
        if bytes[place...].starts(with: secret) {
          bytes.replaceSubrange(place..<place + secret.count, with: Self.placeholder(for: secret))
        }
        place += 1
      }
    }
    return bytes
  }

  /// Of a text, letters and digits become `x` and `0`; other bytes become 0.
  static func placeholder(for bytes: [UInt8]) -> [UInt8] {
    let isText = !bytes.isEmpty && bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 >= 0x80 }
    return bytes.map { byte in
      guard isText else { return 0 }
      return switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
      case 0x20...0x2F, 0x3A...0x40: byte
      default: UInt8(ascii: "x")
      }
    }
  }
}

extension ADStructure {
  fileprivate var isName: Bool { type == .completeLocalName || type == .shortenedLocalName }
}

extension ObservedTable {
  fileprivate mutating func anonymize(_ secrets: Secrets) {
    for service in services.indices {
      for index in services[service].characteristics.indices {
        let isWhole = Secrets.uuids.contains(services[service].characteristics[index].uuid.uuid)
        services[service].characteristics[index].value.replaceValues {
          secrets.replaced($0, isWhole: isWhole)
        }
        for number in services[service].characteristics[index].descriptors.indices {
          services[service].characteristics[index].descriptors[number].value.replaceValues(secrets.replaced)
        }
      }
    }
  }
}

extension ObservedValue {
  fileprivate mutating func replaceValues(_ replace: ([UInt8]) -> [UInt8]) {
    for index in readings.indices {
      if case .success(let value) = readings[index].outcome {
        readings[index].outcome = .success(replace(value))
      }
    }
  }
}

extension Exchange {
  fileprivate mutating func replaceValues(_ replace: ([UInt8]) -> [UInt8]) {
    switch kind {
    case .read(.success(let value)): kind = .read(.success(replace(value)))
    case .write(let value, let way, let outcome): kind = .write(replace(value), way, outcome)
    case .value(let value, let delivery): kind = .value(replace(value), delivery)
    case .read: break
    }
  }
}

extension DeviceAddress {
  /// Keeps the two bits that say the kind of a random address.
  fileprivate mutating func anonymize() {
    let bytes = [bytes[0] & 0xC0, 0, 0, 0, 0, 1]
    self = DeviceAddress(bytes) ?? self
  }
}
