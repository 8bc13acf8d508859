import Bluetooth
import DeviceModel

/// Mistakes in services, characteristics and descriptors, or where one of them is named.
extension Mistake {
  static let constantLive = Self(
    "a live value without a hole never changes",
    "give it one, as in value: \"{level: u8}\", or leave out 'live'")
  static func unseenLive(id: String) -> Self {
    Self(
      "no central sees the live value of '\(id)'", "add read or notify to its properties, or leave out 'live'"
    )
  }
  static let emptyDevice = Self(
    "a definition needs 'services', 'advertisement' or both", "a device without services only advertises")
  static func tooManyCharacteristics(most: Int) -> Self {
    Self("more than \(most) characteristics", "a device can have at most \(most) across all its services")
  }
  static let attributesNotFromSettings = Self(
    "only settings can decide which attributes exist",
    "the device decides this at start and after a reset, and only settings survive a reset")
  static let noID = Self(
    "a characteristic whose UUID comes from settings needs a name", "give it an 'id', as in id: serial")
  static func contradiction(_ word: String) -> Self {
    Self("'\(word)' contradicts 'no-\(word)'", "keep one of them")
  }
  static let keyWithoutEncryption = Self(
    "'key-size' has no effect: no permission requires encryption", "add one, such as encrypt-read")
  static func tooLongValue(size: Int, limit: Int) -> Self {
    Self("\(size) bytes; an attribute holds at most \(limit)")
  }
  static func incomputableValue(_ error: any Error) -> Self { Self("the value cannot be computed: \(error)") }
  static func secondDescriptor(_ uuid: BluetoothUUID) -> Self {
    Self("a second descriptor \(uuid) in this characteristic", "names such as ID/\(uuid) mean the first")
  }
  static func secondOfServer(_ uuid: BluetoothUUID) -> Self {
    Self("a second descriptor \(uuid)", "a characteristic can have only one of this kind")
  }
  static func secondAttribute(_ uuid: BluetoothUUID, circumstance: String) -> Self {
    Self("\(circumstance)a second \(uuid)", "many clients find only the first")
  }
  static func noTable(_ reason: AttributeTableError.Reason, circumstance: String) -> Self {
    Self("\(circumstance)\(reason)")
  }
  static func unknownCharacteristic(id: String, known: [String]) -> Self {
    Self("no characteristic has the id '\(id)'", Suggestion.hint(for: id, in: known))
  }
  static func unknownPlace(_ name: String, known: [String]) -> Self {
    let mistake = unknownCharacteristic(id: name, known: known)
    let layer = "a layer is declared: layers: [\(name)]"
    return Self(mistake.message, (mistake.hint.map { "\($0); " } ?? "") + layer)
  }
  /// - Parameter known: the descriptors for which a rule can wait.
  static func unknownDescriptor(_ uuid: String, of id: String, known: [BluetoothUUID]) -> Self {
    Self(
      "no rule can wait for a descriptor \(uuid) of '\(id)'",
      known.isEmpty
        ? "it has no descriptors other than the server's"
        : "it has \(known.map(\.description).joined(separator: ", "))")
  }
  static func unknownService(id: String, known: [String]) -> Self {
    Self("no other service has the id '\(id)'", Suggestion.hint(for: id, in: known))
  }
  static func notWritable(id: String) -> Self {
    Self("'\(id)' cannot be written", "add write or write-without-response to its properties")
  }
  static func notReadable(id: String) -> Self { Self("'\(id)' cannot be read", "add read to its properties") }
  static func notNotifying(id: String) -> Self {
    Self("a central cannot subscribe to '\(id)'", "add notify or indicate to its properties")
  }
  static func notBoth(id: String) -> Self {
    Self("'\(id)' does not both notify and indicate", "add notify and indicate to its properties")
  }
  static let unwantedCCCD = Self(
    "the characteristic has a descriptor 2902", "remove it, or write 'ignored' if the device has one")
  static func serverValue(id: String) -> Self {
    Self(
      "blemu itself answers for '\(id)', so rules never see it", "give it a 'value' to let rules handle it")
  }
  static func otherProperties(_ value: GenericAttributeValue) -> Self {
    Self("the specification gives \(value.name) other properties", "write properties: [\(value.properties)]")
  }
  static func outsideGenericAttribute(_ value: GenericAttributeValue) -> Self {
    Self("outside Generic Attribute (1801), this is not \(value.uuid.name ?? "")", "move it to service 1801")
  }
  static let sharedFeatures = Self(
    "all centrals share this value",
    "remove it; each central then has its own value, which blemu keeps with the bond")
}

extension GenericAttributeValue {
  /// For example `Database Hash (2B2A)`.
  fileprivate var name: String { "\(uuid.name ?? "") (\(uuid))" }
}
