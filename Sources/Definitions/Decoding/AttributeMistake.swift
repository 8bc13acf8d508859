import Bluetooth
import DeviceModel

/// A mistake in services, characteristics and descriptors, or where one of them is named.
enum AttributeMistake: Mistake {
  /// A device with neither services nor an advertisement.
  case nothing
  case tooManyCharacteristics(most: Int)
  /// A condition or a UUID uses values that are not settings.
  case notFromSettings
  /// A UUID comes from settings, so it cannot be the name of its characteristic.
  case noID
  /// Permissions with and without `no-`.
  case contradiction(String)
  /// The size of a key, although no permission requires an encrypted link.
  case keyWithoutEncryption
  case tooLongValue(size: Int, limit: Int)
  case noValue(any Error)
  /// Two descriptors of a characteristic have this UUID.
  case secondDescriptor(BluetoothUUID)
  /// Two descriptors of a characteristic have this UUID, but the server can have only one.
  case secondOfServer(BluetoothUUID)
  /// Two services, or two characteristics of a service, have this UUID.
  ///
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case secondAttribute(BluetoothUUID, circumstance: String)
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case noTable(AttributeTableError.Reason, circumstance: String)
  case unknownCharacteristic(id: String, known: [String])
  /// - Parameter known: the descriptors for which a rule can wait.
  case unknownDescriptor(String, of: String, known: [BluetoothUUID])
  case unknownService(id: String, known: [String])
  case notWritable(id: String)
  case notReadable(id: String)
  case notNotifying(id: String)
  /// A characteristic without a CCCD has one among its descriptors.
  case unwantedCCCD
  /// Rules cannot wait for the server's own values.
  case serverValue(id: String)
  case otherProperties(GenericAttributeValue)
  case outsideGenericAttribute(GenericAttributeValue)
  /// Client Supported Features with a value.
  case sharedFeatures
}

extension GenericAttributeValue {
  /// For example `Database Hash (2B2A)`.
  fileprivate var name: String { "\(uuid.name ?? "") (\(uuid))" }
}

extension AttributeMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .nothing:
      ("a definition needs 'services', 'advertisement' or both", "a device without services only advertises")
    case .tooManyCharacteristics(let most):
      ("more than \(most) characteristics", "a device can have at most \(most) across all its services")
    case .notFromSettings:
      (
        "only settings can decide which attributes exist",
        "the device decides this at start and after a reset, and only settings survive a reset"
      )
    case .noID:
      (
        "a characteristic whose UUID comes from settings needs a name",
        "give it an 'id', as in id: serial"
      )
    case .contradiction(let word): ("'\(word)' contradicts 'no-\(word)'", "keep one of them")
    case .keyWithoutEncryption:
      ("'key-size' has no effect: no permission requires encryption", "add one, such as encrypt-read")
    case .tooLongValue(let size, let limit): ("\(size) bytes; an attribute holds at most \(limit)", nil)
    case .noValue(let error): ("the value cannot be computed: \(error)", nil)
    case .secondDescriptor(let uuid):
      ("a second descriptor \(uuid) in this characteristic", "names such as ID/\(uuid) mean the first")
    case .secondOfServer(let uuid):
      ("a second descriptor \(uuid)", "a characteristic can have only one of this kind")
    case .secondAttribute(let uuid, let circumstance):
      ("\(circumstance)a second \(uuid)", "many clients find only the first")
    case .noTable(let reason, let circumstance): ("\(circumstance)\(reason)", nil)
    case .unknownCharacteristic(let id, let known):
      ("no characteristic has the id '\(id)'", Suggestion.hint(for: id, in: known))
    case .unknownDescriptor(let uuid, let id, let known):
      (
        "no rule can wait for a descriptor \(uuid) of '\(id)'",
        known.isEmpty
          ? "it has no descriptors other than the server's"
          : "it has \(known.map(\.description).joined(separator: ", "))"
      )
    case .unknownService(let id, let known):
      ("no other service has the id '\(id)'", Suggestion.hint(for: id, in: known))
    case .notWritable(let id):
      ("'\(id)' cannot be written", "add write or write-without-response to its properties")
    case .notReadable(let id): ("'\(id)' cannot be read", "add read to its properties")
    case .notNotifying(let id):
      ("a central cannot subscribe to '\(id)'", "add notify or indicate to its properties")
    case .unwantedCCCD:
      ("the characteristic has a descriptor 2902", "remove it, or write 'ignored' if the device has one")
    case .serverValue(let id):
      ("blemu itself answers for '\(id)', so rules never see it", "give it a 'value' to let rules handle it")
    case .otherProperties(let value):
      (
        "the specification gives \(value.name) other properties",
        "write properties: [\(value.properties)]"
      )
    case .outsideGenericAttribute(let value):
      (
        "outside Generic Attribute (1801), this is not \(value.uuid.name ?? "")",
        "move it to service 1801"
      )
    case .sharedFeatures:
      (
        "all centrals share this value",
        "remove it; each central then has its own value, which blemu keeps with the bond"
      )
    }
  }
}
