import Bluetooth
import DeviceModel

/// What the server knows of a central as its client. If it is bonded, this lasts from link to link.
struct ClientState: Sendable {
  /// Whether a central knows the attributes as they are now (Core Specification, Vol 3 Part G 2.5.2.1).
  private enum Awareness {
    case aware
    case unaware
    /// It has read the Database Hash, or has heard that the attributes have changed: its next request makes it aware.
    case awaitsRequest
  }

  /// Whether Generic Attribute has a Database Hash.
  var hasHash: Bool
  /// What the central supports.
  private(set) var features: ClientFeatures = []
  /// The values that the central has subscribed to, and its CCCD for each.
  private(set) var configurations: [SubscribedValue: ClientConfiguration] = [:]
  private var awareness = Awareness.aware
  private var hasNews = false

  init(hasHash: Bool) { self.hasHash = hasHash }

  /// Whether anything of it has changed since the last call.
  mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }
}

// Robust Caching (Vol 3 Part G 2.5.2.1).
extension ClientState {
  /// Whether the central, as far as the server can know, has the present attributes.
  var isAware: Bool { awareness == .aware }

  /// Whether the central has asked for Robust Caching, and does not know the attributes: until it does, its commands are
  /// ignored, and it gets no values.
  var isOutOfSync: Bool { awareness != .aware && features.contains(.robustCaching) && hasHash }

  /// Looks at a PDU.
  ///
  /// - Returns: the handle of a request that is refused, because the central does not know the attributes; nil: it goes on.
  mutating func refusedHandle(in pdu: AttributePDU) -> AttributeHandle? {
    guard awareness != .aware, pdu.opcode.kind == .request else { return nil }
    if awareness == .awaitsRequest {
      becomeAware()
      return nil
    }
    let handle = isOutOfSync ? pdu.operand : nil
    if handle != nil || pdu.readsHash { awareness = .awaitsRequest }
    return handle
  }

  /// From now on, the central does not know the attributes.
  mutating func becomeUnaware() { awareness = .unaware }

  mutating func becomeAware() {
    guard awareness != .aware else { return }
    awareness = .aware
    hasNews = true
  }
}

extension AttributePDU {
  /// The handle of a request for which a client must know the attributes, or the first one; nil: it need not.
  fileprivate var operand: AttributeHandle? {
    switch self {
    case .readRequest(let handle), .readBlobRequest(let handle, _), .writeRequest(let handle, _),
      .prepareWriteRequest(let handle, _, _):
      handle
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles): handles.first
    case .readByTypeRequest(let range, let type):
      type == 0x2802 || type == 0x2803 || range == .all ? nil : range.first
    default: nil
    }
  }

  /// Whether it is the request with which clients read the Database Hash (Vol 3 Part G 7.3).
  fileprivate var readsHash: Bool {
    if case .readByTypeRequest(.all, 0x2B2A) = self { true } else { false }
  }
}

// MARK: What the central writes

extension ClientState {
  /// Takes the features that the central writes. It cannot take one back (Vol 3 Part G 7.2).
  mutating func support(_ value: [UInt8]) throws(ATTError) {
    let new = try supported(by: value)
    guard new != features else { return }
    features = new
    hasNews = true
  }

  func supported(by value: [UInt8]) throws(ATTError) -> ClientFeatures {
    guard value.count <= CharacteristicDefinition.maximumValueSize else { throw .invalidAttributeValueLength }
    let new = ClientFeatures(value: value)
    guard new.isSuperset(of: features) else { throw .valueNotAllowed }
    return new
  }

  /// Restores the features of an earlier link.
  mutating func restore(_ earlier: ClientFeatures) { features.formUnion(earlier) }

  func configuration(of value: SubscribedValue) -> ClientConfiguration { configurations[value] ?? [] }

  /// - Returns: the earlier configuration.
  mutating func configure(_ value: SubscribedValue, _ new: ClientConfiguration) -> ClientConfiguration {
    hasNews = true
    return configurations.updateValue(new, forKey: value) ?? []
  }
}
