public import Foundation

/// What a device has.
open class CBAttribute: NSObject {
  open private(set) var uuid: CBUUID
  let handle: Int

  init(uuid: CBUUID, handle: Int) { (self.uuid, self.handle) = (uuid, handle) }
}

/// A service of a device.
open class CBService: CBAttribute {
  open internal(set) weak var peripheral: CBPeripheral?
  open private(set) var isPrimary: Bool
  /// Those that have been discovered; nil: none yet.
  @_Guarded public internal(set) var includedServices: [CBService]?
  @_Guarded public internal(set) var characteristics: [CBCharacteristic]?

  let end: Int
  let included: [Int]
  /// All that the device has.
  var everyCharacteristic: [CBCharacteristic] = []

  init(uuid: CBUUID, handles: ClosedRange<Int>, isPrimary: Bool, included: [Int]) {
    (end, self.isPrimary, self.included) = (handles.upperBound, isPrimary, included)
    super.init(uuid: uuid, handle: handles.lowerBound)
  }

  open override var description: String {
    "<CBService: isPrimary = \(isPrimary ? "YES" : "NO"), UUID = \(uuid)>"
  }
}

/// What a characteristic can do (Core Specification, Vol 3, Part G, 3.3.1.1).
public struct CBCharacteristicProperties: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let broadcast = Self(rawValue: 0x01)
  public static let read = Self(rawValue: 0x02)
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  public static let write = Self(rawValue: 0x08)
  public static let notify = Self(rawValue: 0x10)
  public static let indicate = Self(rawValue: 0x20)
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  public static let extendedProperties = Self(rawValue: 0x80)
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// A characteristic of a service.
open class CBCharacteristic: CBAttribute {
  open internal(set) weak var service: CBService?
  open private(set) var properties: CBCharacteristicProperties
  /// The last that was read or came.
  @_Guarded public internal(set) var value: Data?
  /// Those that have been discovered; nil: none yet.
  @_Guarded public internal(set) var descriptors: [CBDescriptor]?
  @_Guarded public internal(set) var isNotifying = false

  /// All that the device has.
  var everyDescriptor: [CBDescriptor] = []

  init(uuid: CBUUID, handle: Int, properties: CBCharacteristicProperties) {
    self.properties = properties
    super.init(uuid: uuid, handle: handle)
  }

  open override var description: String {
    let value = value.map { "{length = \($0.count), bytes = 0x\($0.hex(separator: "").lowercased())}" }
    return "<CBCharacteristic: UUID = \(uuid), properties = 0x\(String(properties.rawValue, radix: 16)), "
      + "value = \(value ?? "(null)"), notifying = \(isNotifying ? "YES" : "NO")>"
  }
}

/// A descriptor of a characteristic.
open class CBDescriptor: CBAttribute {
  open internal(set) weak var characteristic: CBCharacteristic?
  /// The last that was read: a `String` of a description (2901), an `NSNumber` of 2900 and 2902, or else `Data`.
  @_Guarded public internal(set) var value: Any?

  static let configuration = CBUUID(string: CBUUIDClientCharacteristicConfigurationString)

  /// The value of these bytes.
  func value(of bytes: Data) -> Any {
    switch uuid.uuidString {
    case CBUUIDCharacteristicUserDescriptionString: String(decoding: bytes, as: UTF8.self)
    case CBUUIDCharacteristicExtendedPropertiesString, CBUUIDClientCharacteristicConfigurationString,
      CBUUIDServerCharacteristicConfigurationString:
      NSNumber(value: bytes.reversed().reduce(0) { $0 << 8 | Int($1) })
    default: bytes
    }
  }

  open override var description: String { "<CBDescriptor: UUID = \(uuid)>" }
}
