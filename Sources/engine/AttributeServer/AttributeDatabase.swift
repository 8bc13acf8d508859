import Behavior
import Bluetooth
import DeviceModel

/// The attributes of a GATT server in the order of their handles (Core Specification, Vol 3 Part G 3).
package struct AttributeDatabase: Hashable, Sendable {
  package struct Attribute: Hashable, Sendable {
    package var handle: AttributeHandle
    package var type: BluetoothUUID
    package var content: Content
    package var read: AttributeAccess
    package var write: AttributeAccess
    /// The last handle of the service or characteristic that it declares; its own handle if it declares none.
    package internal(set) var groupEnd: AttributeHandle
  }

  package enum Content: Hashable, Sendable {
    /// A value that the server itself has, which never changes.
    case constant([UInt8])
    /// A value of the device.
    case value(AttributeReference)
    /// A Client Characteristic Configuration (Vol 3 Part G 3.3.3.3), of which each central has its own. It
    /// may contain these bits.
    case configuration(SubscribedValue, ClientConfiguration)
    /// Client Supported Features (Vol 3 Part G 7.2), of which each central has its own.
    case clientFeatures
  }

  /// In the order of their handles.
  package internal(set) var attributes: [Attribute] = []
  /// Where the handles differ from the definition.
  package internal(set) var problems: Set<HandleProblem> = []
  /// The handles of the characteristics' values, by index in the definition; 0: the device does not have it.
  private(set) var valueHandles: [AttributeHandle] = []

  /// The handles of the services' declarations, by index in the definition.
  package internal(set) var serviceHandles: [Int: AttributeHandle] = [:]

  /// The handles of descriptors with which the values of some characteristics are notified, by index in the definition.
  package internal(set) var senders: [Int: AttributeHandle] = [:]

  /// How every central gets the values of some characteristics, by index in the definition, without subscribing.
  package internal(set) var unconditional: [Int: Delivery] = [:]

  /// What centrals that ask for notifications and indications get, by index in the definition; notifications if there is nothing.
  package internal(set) var forBoth: [Int: BothUse] = [:]

  /// The characteristics, by index in the definition, whose configurations are written by requests only.
  package internal(set) var requestsOnly: Set<Int> = []

  /// The characteristics, by index in the definition, on whose configurations the device decides.
  package internal(set) var guarded: Set<Int> = []

  /// Those of them whose values a central may get before the response to its subscription.
  package internal(set) var early: Set<Int> = []
  /// What becomes of prepared parts, of characteristics by index in the definition that do not join them.
  package internal(set) var preparedUses: [Int: PreparedUse] = [:]

  /// The names of the values that have a CCCD, which stay the same in another database: the ids of the characteristics.
  package internal(set) var names: [SubscribedValue: String] = [:]

  /// The values of the Characteristic Extended Properties that are the device's own, by handle, as they are at first.
  package internal(set) var extendedProperties: [AttributeHandle: [UInt8]] = [:]

  /// Whether each central has its own Client Supported Features.
  package internal(set) var hasClientFeatures = false

  /// Whether values of one event go together to the centrals that take this.
  package internal(set) var joinsValues = false

  /// Whether Generic Attribute has a Database Hash.
  package internal(set) var hasHash = false

  /// Whether any attribute needs a protected link.
  private(set) var needsSecurity = false

  /// What the values of characteristics need to be sent, by index in the definition; open: those after the last.
  private var sending: [AttributeAccess] = []

  package init() {}

  /// The attribute with a handle; nil: there is none.
  package subscript(handle: AttributeHandle) -> Attribute? {
    index(of: handle).map { attributes[$0] }
  }

  /// The index of the attribute with a handle; nil: there is none.
  func index(of handle: AttributeHandle) -> Int? {
    let index = index(from: handle)
    return index < attributes.count && attributes[index].handle == handle ? index : nil
  }

  /// The attributes in a range of handles.
  package func attributes(in range: HandleRange) -> ArraySlice<Attribute> {
    attributes[index(from: range.first)...].prefix { $0.handle <= range.last }
  }

  /// The handle of a characteristic's value; nil: the device does not have the characteristic.
  package func handle(of characteristic: Int) -> AttributeHandle? {
    let handle = characteristic < valueHandles.count ? valueHandles[characteristic] : 0
    return handle == 0 ? nil : handle
  }

  /// One more than the index of the last characteristic of the definition that the device has.
  var valueCount: Int { valueHandles.count }

  /// The handle with which the values of a characteristic are sent; nil: the device does not have the characteristic.
  package func sendingHandle(of characteristic: Int) -> AttributeHandle? {
    senders.isEmpty ? handle(of: characteristic) : senders[characteristic] ?? handle(of: characteristic)
  }

  /// How a central with this configuration gets the values of a characteristic; nil: not at all.
  func delivery(_ configuration: ClientConfiguration, of characteristic: Int) -> Delivery? {
    configuration.isBoth && forBoth[characteristic] == .indicate
      ? .indication : configuration.delivery
  }

  /// The UUID of a characteristic; nil: the device does not have it.
  func uuid(of characteristic: Int) -> BluetoothUUID? {
    handle(of: characteristic).flatMap { self[$0]?.type }
  }

  /// The characteristic, by index in the definition, whose values are sent with a handle; nil: none.
  package func characteristic(sendingFrom handle: AttributeHandle) -> Int? {
    switch self[handle]?.content {
    case .value(.characteristic(let index)): index
    case .value(.descriptor(_, of: let index)): senders[index] == handle ? index : nil
    default: nil
    }
  }

  /// The index of the first attribute with this handle or a higher one.
  private func index(from handle: AttributeHandle) -> Int {
    var range = 0..<attributes.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        attributes[middle].handle < handle
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  mutating func append(_ attribute: Attribute) {
    attributes.append(attribute)
    if attribute.read.isSecured || attribute.write.isSecured { needsSecurity = true }
  }

  /// What a link needs so that the values of a characteristic are sent on it (Vol 3 Part C 10.3.1.1).
  func access(sending characteristic: Int) -> AttributeAccess {
    characteristic < sending.count ? sending[characteristic] : .open
  }

  mutating func protect(valuesOf characteristic: Int, _ access: AttributeAccess) {
    guard access.isSecured else { return }
    needsSecurity = true
    let missing = characteristic + 1 - sending.count
    if missing > 0 { sending += Array(repeating: .open, count: missing) }
    sending[characteristic] = access
  }

  mutating func noteValue(of characteristic: Int, at handle: AttributeHandle) {
    let missing = characteristic + 1 - valueHandles.count
    if missing > 0 { valueHandles += Array(repeating: 0, count: missing) }
    valueHandles[characteristic] = handle
  }
}

/// A value to which a central can subscribe.
package enum SubscribedValue: Hashable, Sendable {
  /// A characteristic of the definition, by index.
  case characteristic(Int)
  /// Service Changed (2A05) of the server's own Generic Attribute service.
  case serviceChanged

  /// The index in the definition; nil: it is the server's own.
  var characteristic: Int? { if case .characteristic(let index) = self { index } else { nil } }
}

extension CharacteristicProperties {
  /// What a central may ask for.
  var possibleConfiguration: ClientConfiguration {
    var possible: ClientConfiguration = []
    if contains(.notify) { possible.insert(.notification) }
    if contains(.indicate) { possible.insert(.indication) }
    return possible
  }
}

/// What a central needs to read or write an attribute.
package enum AttributeAccess: Hashable, Sendable {
  /// Not at all.
  case denied
  case open
  /// An encrypted link of this level, with a key of at least so many bytes.
  case secured(LinkSecurity.Level, keySize: Int)

  var isSecured: Bool { if case .secured = self { true } else { false } }

  /// Whether a link that is protected so well is enough.
  func isGranted(on link: LinkSecurity) -> Bool {
    switch self {
    case .denied: false
    case .open: true
    case .secured(let level, let keySize): link.level >= level && link.keySize >= keySize
    }
  }
}
