import Behavior
import Bluetooth
import DeviceModel

/// Whether a central knows the attributes as they are now (Core Specification, Vol 3 Part G 2.5.2.1).
enum Awareness: Hashable, Sendable {
  case aware
  case unaware
  /// It has read the Database Hash, or has heard that the attributes have changed: its next request makes it aware.
  case awaitsRequest
}

// Robust Caching (Vol 3 Part G 2.5.2.1).
extension AttributeServer {
  /// Whether the central has asked for Robust Caching, and does not know the attributes: until it does, its commands are
  /// ignored, and it gets no values.
  var isOutOfSync: Bool {
    awareness != .aware && features.contains(.robustCaching) && database.hasHash
  }

  /// Looks at a PDU of a central that does not know the attributes.
  ///
  /// - Returns: whether it goes on; a request that does not has its error.
  mutating func admits(_ pdu: AttributePDU) -> Bool {
    switch pdu.opcode.kind {
    case .request where awareness == .awaitsRequest: becomeAware()
    case .request:
      let handle = isOutOfSync ? pdu.operand : nil
      if handle != nil || pdu.readsHash { awareness = .awaitsRequest }
      guard let handle else { return true }
      refuse(pdu.opcode, handle, .databaseOutOfSync)
      return false
    case .command, .response, .notification, .indication, .confirmation: break
    }
    return true
  }

  /// From now on, the central does not know the attributes. Values that have not been sent are dropped.
  mutating func becomeUnaware() {
    awareness = .unaware
    if isOutOfSync { indications = indications.prefix(1) }
  }

  mutating func becomeAware() {
    guard awareness != .aware else { return }
    awareness = .aware
    hasNews = true
  }

  /// Whether a value goes to the central now: only Service Changed goes to one that is out of sync.
  func mayGet(_ characteristic: Int) -> Bool {
    !isOutOfSync || database.serviceChanged?.configuration == .characteristic(characteristic)
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

// MARK: Client Supported Features

extension AttributeServer {
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
}
