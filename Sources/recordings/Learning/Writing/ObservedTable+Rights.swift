import Bluetooth
import Framing

extension ObservedTable.Characteristic {
  private var known: CharacteristicProperties { properties ?? [] }

  /// With those of its Extended Properties, if they were read (Vol 3 Part G 3.3.3.1).
  var propertiesWithExtended: CharacteristicProperties {
    guard let value = descriptors.first(where: { $0.uuid == 0x2900 })?.value.first, let low = value.first
    else {
      return known
    }
    let further = CharacteristicProperties(rawValue: UInt16(low & 0x03) << 8)
    return further.isEmpty ? known : known.union(further).subtracting(.extendedProperties)
  }

  /// Whether it sends values, and it is certain that no central can subscribe.
  var hasNoCCCD: Bool {
    canNotify && hasAllDescriptors && !descriptors.contains { $0.uuid == 0x2902 }
  }

  /// The descriptors that blemu adds by itself, in its order.
  var impliedDescriptors: [BluetoothUUID] {
    (canNotify && !hasNoCCCD ? [0x2902] : []) + (known.contains(.extendedProperties) ? [0x2900] : [])
  }

  /// Its descriptors; of those that the server has itself, each once.
  var possibleDescriptors: [ObservedTable.Descriptor] {
    descriptors.enumerated().filter { index, descriptor in
      ![0x2900, 0x2902].contains(descriptor.uuid)
        || descriptors.firstIndex { $0.uuid == descriptor.uuid } == index
    }.map(\.element)
  }

  /// Whether the server computes the value: Client Supported Features, Database Hash.
  var isServersOwn: Bool { [0x2B29, 0x2B2A].contains(uuid.uuid) }

  var permissions: AttributePermissions {
    var permissions = value.permissions
    if value.first != nil, !known.contains(.read) { permissions.insert(.read) }
    // A device that answers otherwise later does so by a rule.
    let isReadRefused = value.readings.allSatisfy { $0.outcome == .refused(.readNotPermitted) }
    if isReadRefused, !value.readings.isEmpty, known.contains(.read) { permissions.insert(.noRead) }
    if value.isWritten, !known.canBeWritten { permissions.insert(.write) }
    // A Write Request to an attribute that takes only Write Commands may be refused.
    if value.writeErrors.contains(.writeNotPermitted), known.contains(.write), !value.isWritten {
      permissions.insert(.noWrite)
    }
    let configuration = descriptors.first { $0.uuid == 0x2902 }
    let needed = configuration?.value.permissions ?? []
    if canNotify, needed.contains(.encryptWrite) {
      permissions.insert(known.contains(.notify) ? .encryptNotify : .encryptIndicate)
    }
    if canNotify, needed.contains(.encryptAuthenticatedWrite) {
      permissions.insert(
        known.contains(.notify) ? .encryptAuthenticatedNotify : .encryptAuthenticatedIndicate)
    }
    return permissions
  }

  /// What a person wants to know of its values.
  var remarks: [String] {
    var remarks: [String] = []
    if uuid.uuid.placeholderHandle != nil {
      remarks.append("UUID not known")
    } else if isSupposed {
      remarks.append("declaration not read: properties as used")
    }
    if properties == nil { remarks.append("its properties are not known") }
    if canNotify, !hasAllDescriptors, !descriptors.contains(where: { $0.uuid == 0x2902 }) {
      remarks.append("whether it has a 2902 is not known")
    }
    if let handle, let valueHandle, handle != valueHandle &- 1 {
      remarks.append("declared at 0x\(handle.hexadecimal(digits: 4))")
    }
    if known.contains(.read), value.readings.isEmpty { remarks.append("never read") }
    if value.values.count > 1 { remarks.append(value.changes) }
    for descriptor in descriptors {
      let isServersOwn = [0x2900, 0x2902].contains(descriptor.uuid)
      if !isServersOwn, descriptor.uuid.name != nil, descriptor.value.readings.isEmpty {
        remarks.append("\(descriptor.uuid) never read")
      }
    }
    for (name, observed) in [("", value)] + descriptors.map({ ("\($0.uuid) ", $0.value) }) {
      for error in observed.readErrors.map(\.name).sorted() {
        remarks.append("\(name)read refused: \(error)")
      }
      for error in observed.writeErrors.map(\.name).sorted() {
        remarks.append("\(name)write refused: \(error)")
      }
    }
    return remarks
  }
}

extension ObservedValue {
  /// The security that the attribute needs, as far as its errors tell: those that pairing may overcome
  /// (Vol 3 Part C 10.3.1).
  var permissions: AttributePermissions {
    var permissions: AttributePermissions = []
    if readErrors.contains(where: \.isForWantOfSecurity) {
      permissions.insert(isUnreadableEncrypted ? .encryptAuthenticatedRead : .encryptRead)
    }
    if writeErrors.contains(where: \.isForWantOfSecurity) {
      permissions.insert(isUnwritableEncrypted ? .encryptAuthenticatedWrite : .encryptWrite)
    }
    if readErrors.union(writeErrors).contains(.insufficientAuthorization) { permissions.insert(.authorize) }
    return permissions
  }

  /// `changed: 64, 63, 62`
  fileprivate var changes: String {
    let shown = values.prefix(4)
    guard shown.allSatisfy({ $0.count <= 4 }) else { return "changed \(values.count - 1) times" }
    let texts = shown.map { $0.isEmpty ? "empty" : HexText.format($0) } + (values.count > 4 ? ["…"] : [])
    return "changed: " + texts.joined(separator: ", ")
  }
}

extension ATTError {
  /// Whether pairing, or a better pairing, may overcome it.
  var isForWantOfSecurity: Bool { self == .insufficientAuthentication || self == .insufficientEncryption }
}
