import Behavior
import Bluetooth
import DeviceModel

extension AttributeDatabase {
  /// The attributes of a device.
  ///
  /// A definition with neither Generic Access (1800) nor Generic Attribute (1801) gets plain ones, which come first: 1800 with
  /// name, appearance and the connection parameters that the device prefers, if it does, and 1801 with Service Changed. A
  /// definition with one of them says itself what the device has, and so does one that leaves no handles for them.
  ///
  /// - Parameters:
  ///   - table: the attributes of the definition that the device has now.
  ///   - name: the value of a plain Device Name (2A00).
  ///   - appearance: the value of a plain Appearance (2A01); 0 is unknown.
  ///
  /// Handles that cannot be as the definition has them are in ``problems``; then the next ones are taken.
  package init(
    _ definition: PeripheralDefinition, _ table: AttributeTable, name: String, appearance: UInt16 = 0
  ) {
    var builder = Builder(definition)
    if builder.hasPlainServices(before: table) {
      builder.addGenericAccess(name, appearance)
      builder.addGenericAttribute()
    }
    for service in table.services { builder.add(service, of: table) }
    builder.completeIncludes(table)
    builder.completeHash()
    self = builder.database
  }
}

/// Counts handles, and adds attributes in their order.
private struct Builder {
  var database = AttributeDatabase()
  private let definition: PeripheralDefinition
  private var lastHandle: AttributeHandle = 0
  /// The include declarations, by index of the attribute, and what they include.
  private var includes: [(attribute: Int, service: Int)] = []
  /// The indices of the attributes whose value is the Database Hash.
  private var hashes: [Int] = []

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
    database.joinsValues = definition.link.multipleNotifications
  }

  @discardableResult
  private mutating func add(
    _ type: BluetoothUUID, _ content: AttributeDatabase.Content, read: AttributeAccess = .open,
    write: AttributeAccess = .denied
  ) -> AttributeHandle {
    guard lastHandle < .max else {
      database.problems.insert(HandleProblem(kind: .tooMany, place: nil))
      return lastHandle
    }
    lastHandle += 1
    database.append(
      AttributeDatabase.Attribute(
        handle: lastHandle, type: type, content: content, read: read, write: write, groupEnd: lastHandle))
    return lastHandle
  }

  /// Leaves handles out, so that an attribute has this one after `declarations` more.
  private mutating func skip(
    to handle: AttributeHandle?, before place: DefinitionPlace, declarations: AttributeHandle = 0
  ) {
    guard let handle, !reach(handle, after: declarations) else { return }
    database.problems.insert(HandleProblem(kind: .taken(handle, last: lastHandle), place: place))
  }

  /// Likewise, returns whether no earlier attribute has that handle.
  @discardableResult
  private mutating func reach(_ handle: AttributeHandle, after declarations: AttributeHandle) -> Bool {
    guard Int(handle) > Int(lastHandle) + Int(declarations) else { return false }
    lastHandle = handle - 1 - declarations
    return true
  }

  /// Lets a service's group end at this handle.
  mutating func end(at handle: AttributeHandle?, _ service: Int) {
    guard let handle else { return }
    if handle >= lastHandle { return lastHandle = handle }
    database.problems.insert(
      HandleProblem(kind: .endsEarly(handle, last: lastHandle), place: .serviceEnd(service)))
  }

  /// Adds a declaration and its group.
  private mutating func group(
    _ type: BluetoothUUID, _ value: [UInt8], _ addMembers: (inout Self) -> Void
  ) {
    add(type, .constant(value))
    let index = database.attributes.count - 1
    addMembers(&self)
    database.attributes[index].groupEnd = lastHandle
  }

  /// Adds a characteristic declaration (Vol 3 Part G 3.3.1), whose value is the next attribute.
  ///
  /// - Parameter declared: the UUID as the declaration has it; nil: in its short form, if it has one.
  private mutating func characteristic(
    _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, declared: [UInt8]? = nil,
    _ addMembers: (inout Self) -> Void
  ) {
    let declaration = CharacteristicDeclaration(
      properties: properties, valueHandle: lastHandle &+ 2, uuid: uuid)
    group(0x2803, declaration.bytes(uuid: declared ?? uuid.attributeTypeBytes), addMembers)
  }
}

// MARK: The server's own services

extension Builder {
  func hasPlainServices(before table: AttributeTable) -> Bool {
    guard !table.services.contains(where: { $0.uuid == 0x1800 || $0.uuid == 0x1801 }) else { return false }
    let first = table.services.first.flatMap { definition.services[$0.index].handle }
    return first ?? .max > (definition.link.preferred == nil ? 9 : 11)
  }

  /// Generic Access (Vol 3 Part C 12).
  mutating func addGenericAccess(_ name: String, _ appearance: UInt16) {
    group(0x2800, BluetoothUUID(0x1800).attributeTypeBytes) { builder in
      builder.characteristic(0x2A00, .read) { $0.add(0x2A00, .constant(Array(name.utf8))) }
      builder.characteristic(0x2A01, .read) { $0.add(0x2A01, .constant(appearance.littleEndianBytes)) }
      if let preferred = builder.definition.link.preferred {
        builder.characteristic(0x2A04, .read) { $0.add(0x2A04, .constant(preferred.characteristicValue)) }
      }
    }
  }

  /// Generic Attribute (Vol 3 Part G 7).
  mutating func addGenericAttribute() {
    database.names[.serviceChanged] = "2A05"
    group(0x2800, BluetoothUUID(0x1801).attributeTypeBytes) { builder in
      builder.characteristic(0x2A05, .indicate) {
        $0.add(0x2A05, .constant([]), read: .denied)
        $0.add(0x2902, .configuration(.serviceChanged, .indication), write: .open)
      }
    }
  }
}

// MARK: The device's services

extension Builder {
  mutating func add(_ service: AttributeTable.Service, of table: AttributeTable) {
    let model = definition.services[service.index]
    if let handle = service.handle { reach(handle, after: 0) }
    skip(to: model.handle, before: .service(service.index))
    database.serviceHandles[service.index] = lastHandle &+ 1
    group(model.isPrimary ? 0x2800 : 0x2801, model.uuid.declarationBytes(service.uuid)) { builder in
      for included in model.includes where table.services.contains(where: { $0.index == included }) {
        builder.add(0x2802, .constant([]))
        builder.includes.append((builder.database.attributes.count - 1, included))
      }
      let isGenericAttribute = service.uuid == GenericAttributeValue.service
      for characteristic in service.characteristics {
        builder.add(characteristic, isGenericAttribute ? GenericAttributeValue(characteristic.uuid) : nil)
      }
      builder.end(at: model.endHandle, service.index)
    }
  }

  /// Writes the handles into the include declarations, and the UUID if it is short (Vol 3 Part G 3.2).
  mutating func completeIncludes(_ table: AttributeTable) {
    for (attribute, included) in includes {
      guard let first = database.serviceHandles[included], let declaration = database[first],
        let uuid = table.services.first(where: { $0.index == included })?.uuid
      else { continue }
      let handles = first.littleEndianBytes + declaration.groupEnd.littleEndianBytes
      let declared = definition.services[included].uuid.declarationBytes(uuid)
      database.attributes[attribute].content = .constant(handles + (declared.count == 2 ? declared : []))
    }
  }

  /// Writes the hash of all attributes into the value that the server has for it (Vol 3 Part G 7.3).
  mutating func completeHash() {
    guard !hashes.isEmpty else { return }
    let hash = database.hash
    for index in hashes where index < database.attributes.count {  // there may be too many attributes
      database.attributes[index].content = .constant(hash)
    }
  }

  /// - Parameter own: what it is in Generic Attribute; nil: nothing that the server knows.
  private mutating func add(
    _ characteristic: AttributeTable.Characteristic, _ own: GenericAttributeValue?
  ) {
    let index = characteristic.index
    let model = definition.characteristics[index]
    // The handle of a characteristic is that of its value, which clients use; its declaration comes before.
    if let handle = characteristic.handle { reach(handle, after: 1) }
    skip(to: model.handle, before: .characteristic(index), declarations: 1)
    let declared = model.uuid.declarationBytes(characteristic.uuid)
    self.characteristic(characteristic.uuid, model.properties, declared: declared) { builder in
      let handle = builder.add(
        characteristic.uuid, builder.content(of: index, own),
        read: model.canBeRead ? AttributeAccess(model.permissions.reading, model.keySize) : .denied,
        write: model.takesUnsignedWrites
          ? AttributeAccess(model.permissions.writing, model.keySize) : .denied)
      builder.database.noteValue(of: index, at: handle)
      builder.database.protect(
        valuesOf: index, AttributeAccess(model.permissions.subscribing, model.keySize))
      builder.database.unconditional[index] = model.unconditionalDelivery
      if model.both != .notify { builder.database.forBoth[index] = model.both }
      if model.cccd == .requestsOnly { builder.database.requestsOnly.insert(index) }
      if model.prepared != .joined { builder.database.preparedUses[index] = model.prepared }
      if builder.definition.decidesOnConfiguration(of: index) {
        builder.database.guarded.insert(index)
      }
      if builder.definition.placesResponse(toSubscriptionOf: index) { builder.database.early.insert(index) }
      builder.addImplied(model, index)
      for (number, descriptor) in model.descriptors.enumerated() {
        builder.add(descriptor, number, of: index)
      }
    }
  }

  /// The value of a characteristic, which the device has unless its definition leaves it to the server.
  private mutating func content(
    of index: Int, _ own: GenericAttributeValue?
  ) -> AttributeDatabase.Content {
    if own == .databaseHash { database.hasHash = true }
    guard let own, definition.characteristics[index].value.isEmpty else {
      return .value(.characteristic(index))
    }
    switch own {
    case .clientSupportedFeatures:
      database.hasClientFeatures = true
      return .clientFeatures
    case .databaseHash:
      hashes.append(database.attributes.count)
      return .constant([])
    case .serverSupportedFeatures: return .constant([0])  // none
    }
  }

  /// Adds the descriptors that follow from properties, unless the definition places them itself.
  private mutating func addImplied(_ model: CharacteristicDefinition, _ index: Int) {
    let own = Set(model.descriptors.map(\.uuid))
    if model.canNotify, model.cccd != .none, !own.contains(0x2902) { addConfiguration(model, index) }
    let declared = CharacteristicProperties(rawValue: UInt16(model.properties.declarationByte))
    if declared.contains(.extendedProperties), !own.contains(0x2900) {
      add(0x2900, .constant((model.properties.rawValue >> 8).littleEndianBytes))
    }
  }

  /// A central may always read it (Vol 3 Part G 3.3.3.3).
  ///
  /// - Parameter own: the permissions of a descriptor that the definition places.
  private mutating func addConfiguration(
    _ model: CharacteristicDefinition, _ index: Int, _ own: AttributePermissions = []
  ) {
    let possible = model.properties.possibleConfiguration
    database.names[.characteristic(index)] = model.id
    add(
      0x2902, .configuration(.characteristic(index), possible),
      write: AttributeAccess(max(model.permissions.subscribing, own.writing), model.keySize))
  }

  private mutating func add(_ descriptor: DescriptorDefinition, _ number: Int, of index: Int) {
    let model = definition.characteristics[index]
    skip(to: descriptor.handle, before: .descriptor(number, of: index))
    if descriptor.uuid == 0x2902, model.properties.delivery != nil {
      return addConfiguration(model, index, descriptor.permissions)
    }
    let handle = add(
      descriptor.uuid, .value(.descriptor(number, of: index)),
      read: descriptor.canRead
        ? AttributeAccess(descriptor.permissions.reading, descriptor.keySize) : .denied,
      write: descriptor.canWrite
        ? AttributeAccess(descriptor.permissions.writing, descriptor.keySize) : .denied)
    if number == model.sendingDescriptor { database.senders[index] = handle }
    guard descriptor.uuid == 0x2900 else { return }
    database.extendedProperties[handle] = try? descriptor.value.render(in: definition.initialContext)
  }
}

extension AttributePermissions {
  fileprivate var reading: LinkSecurity.Level {
    level(.secureRead, .encryptAuthenticatedRead, .encryptRead)
  }

  fileprivate var writing: LinkSecurity.Level {
    level(.secureWrite, .encryptAuthenticatedWrite, .encryptWrite)
  }

  /// The level that a link needs to be subscribed and sent values on.
  package var subscribing: LinkSecurity.Level {
    level(
      [.secureNotify, .secureIndicate], [.encryptAuthenticatedNotify, .encryptAuthenticatedIndicate],
      [.encryptNotify, .encryptIndicate])
  }

  private func level(_ secure: Self, _ authenticated: Self, _ encrypted: Self) -> LinkSecurity.Level {
    if !isDisjoint(with: secure) { return .secureConnections }
    if !isDisjoint(with: authenticated) { return .authenticated }
    return isDisjoint(with: encrypted) ? .none : .encrypted
  }
}

extension AttributeAccess {
  fileprivate init(_ level: LinkSecurity.Level, _ keySize: Int) {
    self = level == .none ? .open : .secured(level, keySize: keySize)
  }
}
