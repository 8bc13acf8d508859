import Bluetooth

/// What discovery tells about single attributes, in any order and repeatedly.
struct AttributeFindings {
  struct Service {
    var uuid: ObservedTable.DeclaredUUID
    var isPrimary: Bool
    var end: AttributeHandle?
    /// Whether its declaration is not in the recording.
    var isSupposed = false
  }

  struct Include {
    var service: HandleRange
    var uuid: BluetoothUUID?
  }

  struct Characteristic {
    var uuid: ObservedTable.DeclaredUUID
    var properties: CharacteristicProperties
    var valueHandle: AttributeHandle
    /// Whether its declaration is not in the recording.
    var isSupposed = false
  }

  private(set) var services: [AttributeHandle: Service] = [:]
  private(set) var includes: [AttributeHandle: Include] = [:]
  private(set) var characteristics: [AttributeHandle: Characteristic] = [:]
  private(set) var types: [AttributeHandle: BluetoothUUID] = [:]
  /// The ranges in which every attribute's type is known.
  private(set) var explored: [HandleRange] = []
  /// The ranges in which the declarations of all characteristics are known.
  private(set) var searched: [HandleRange] = []
  /// The attributes to which a write was prepared.
  private(set) var prepared: Set<AttributeHandle> = []
  /// Whether an attribute is something else than it was before. The later finding counts.
  var contradictsItself = false
  /// The attributes whose types are supposed.
  private(set) var guesses: Set<AttributeHandle> = []

  mutating func take(_ transaction: AttributeTransaction) {
    guard let answer = transaction.answer?.pdu else { return }
    for found in answer.attributes(foundBy: transaction.pdu) {
      note(found.value ?? [], of: found.type, at: found.handle, end: found.end)
    }
    switch (transaction.pdu, answer) {
    case (.findInformationRequest(let range), .findInformationResponse(let rows)):
      if let last = rows.last?.handle, last >= range.first { explored.append(.init(range.first, last)) }
    case (.findInformationRequest(let range), .errorResponse(_, _, .attributeNotFound)):
      if range.first <= range.last { explored.append(range) }
    case (.readByTypeRequest(let range, 0x2803), .readByTypeResponse(let rows)):
      if let last = rows.last?.handle, last >= range.first { searched.append(.init(range.first, last)) }
    case (.readByTypeRequest(let range, 0x2803), .errorResponse(_, _, .attributeNotFound)):
      if range.first <= range.last { searched.append(range) }
    case (.prepareWriteRequest(let handle, _, _), .prepareWriteResponse): prepared.insert(handle)
    case (.readRequest(let handle), .readResponse(let value)),
      (.readBlobRequest(let handle, offset: 0), .readBlobResponse(let value)):
      if let type = types[handle], type.isDeclaration { note(value, of: type, at: handle) }
    default: break
    }
  }

  /// - Parameter end: the last handle of the group, if the PDU tells it.
  private mutating func note(
    _ value: [UInt8], of type: BluetoothUUID, at handle: AttributeHandle, end: AttributeHandle? = nil
  ) {
    guard handle > 0 else { return }
    if let earlier = types.updateValue(type, forKey: handle), earlier != type { contradictsItself = true }
    switch type.short {
    case 0x2800, 0x2801:
      guard let uuid = ObservedTable.DeclaredUUID(value) else { return }
      let known = services[handle]
      let service = Service(uuid: uuid, isPrimary: type.short == 0x2800, end: end ?? known?.end)
      services[handle] = service
      if let known, known.uuid.uuid != uuid.uuid || known.end != nil && known.end != service.end {
        contradictsItself = true
      }
    case 0x2802:
      guard value.count == 4 || value.count == 6 else { return }
      includes[handle] = Include(
        service: HandleRange(UInt16(value[0], value[1]), UInt16(value[2], value[3])),
        uuid: BluetoothUUID(littleEndianBytes: value[4...]))
    case 0x2803:
      guard let found = CharacteristicDeclaration(value), found.valueHandle > 0,
        let uuid = ObservedTable.DeclaredUUID(value[3...])
      else { return }
      let characteristic = Characteristic(
        uuid: uuid, properties: found.properties, valueHandle: found.valueHandle)
      let known = characteristics.updateValue(characteristic, forKey: handle)
      if let known, !known.isSame(as: characteristic) { contradictsItself = true }
    default: break
    }
  }

  /// Adds the services that only an include tells of: discovery of primary services does not find them (Vol 3 Part G 4.4.2).
  mutating func addIncludedServices() {
    for include in includes.values where include.service.first > 0 && services[include.service.first] == nil {
      guard let uuid = include.uuid else { continue }
      services[include.service.first] = Service(
        uuid: .init(uuid, isLong: false), isPrimary: false, end: include.service.last)
    }
  }

  /// Adds declarations for attributes that were used or found without one.
  mutating func suppose(of exchanges: [Exchange]) {
    let supposed = SupposedAttributes(of: exchanges, in: self)
    services.merge(supposed.services) { known, _ in known }
    characteristics.merge(supposed.characteristics) { known, _ in known }
    types.merge(supposed.types) { known, _ in known }
    guesses = supposed.guesses
  }

  /// Adds the CCCDs that a central wrote without asking for their types.
  ///
  /// A characteristic that notifies or indicates has a CCCD (Vol 3 Part G 3.3.1.1). If it has a single descriptor, that is the
  /// CCCD: BlueZ knows this, and does not ask (`discover_descs` of its src/shared/gatt-client.c).
  mutating func addConfigurations(writtenIn exchanges: [Exchange]) {
    let values = characteristics.values.filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) }
    let candidates = Set(
      values.map { $0.valueHandle &+ 1 }.filter { types[$0] == nil && endsCharacteristic($0) })
    for exchange in exchanges where candidates.contains(exchange.handle) {
      guard case .write(let value, .request, .success) = exchange.kind, value.count == 2 else { continue }
      types[exchange.handle] = 0x2902
      explored.append(HandleRange(exchange.handle, exchange.handle))
    }
  }

  /// Whether another characteristic begins after an attribute, or its service ends with it.
  private func endsCharacteristic(_ handle: AttributeHandle) -> Bool {
    characteristics[handle &+ 1] != nil || services.values.contains { $0.end == handle }
  }

  /// Whether the types of all these attributes are known.
  func covers(_ range: ClosedRange<Int>) -> Bool { explored.cover(range) }
}

// MARK: Tables that contradict each other

extension AttributeFindings {
  /// Whether discovery has found nothing.
  var isEmpty: Bool { types.isEmpty }

  /// The attributes that are known.
  var handles: Set<AttributeHandle> {
    Set(types.keys).union(characteristics.values.map(\.valueHandle))
  }

  /// Whether the device says that its attributes have changed (Vol 3 Part G 7.1).
  func isServiceChanged(_ pdu: AttributePDU) -> Bool {
    guard case .indication(let handle, let value) = pdu, value.count == 4 else { return false }
    return types[handle] == 0x2A05
      || characteristics.values.contains { $0.valueHandle == handle && $0.uuid.uuid == 0x2A05 }
  }

  /// How many attributes both know.
  func alike(_ other: Self) -> Int { other.types.keys.count { types[$0] != nil } }

  /// The first attribute that the two tables have differently; nil: they may be the same.
  func contradiction(to other: Self) -> AttributeHandle? {
    let types = other.types.compactMap { self.types[$0] ?? $1 == $1 ? nil : $0 }
    let characteristics = other.characteristics.compactMap { handle, found in
      self.characteristics[handle].flatMap { $0.isSame(as: found) ? nil : handle }
    }
    let services = other.services.compactMap { handle, found in
      self.services[handle].flatMap { $0.uuid.uuid == found.uuid.uuid ? nil : handle }
    }
    return (types + characteristics + services + overlaps(with: other) + other.overlaps(with: self)).min()
  }

  /// The services that go on where the other table has something else.
  private func overlaps(with other: Self) -> [AttributeHandle] {
    services.compactMap { start, own in
      let theirEnd = other.services[start]?.end
      guard let end = own.end, end != theirEnd else { return nil }
      let first = AttributeHandle(clamping: Int(theirEnd ?? start) + 1)
      let rest = first...max(end, first)
      var theirs = other.services.keys.filter { rest.contains($0) && services[$0] == nil }
      if theirEnd != nil {
        theirs += other.characteristics.keys.filter { rest.contains($0) && characteristics[$0] == nil }
      }
      return theirs.isEmpty ? nil : start
    }
  }

  /// Adds what a part of the same table tells.
  mutating func merge(_ other: Self) {
    services.merge(other.services) { own, later in later.end == nil ? own : later }
    includes.merge(other.includes) { $1 }
    characteristics.merge(other.characteristics) { $1 }
    types.merge(other.types) { $1 }
  }
}

extension AttributeFindings.Characteristic {
  fileprivate func isSame(as other: Self) -> Bool {
    uuid.uuid == other.uuid.uuid && valueHandle == other.valueHandle && properties == other.properties
  }
}

extension [HandleRange] {
  /// Whether all these attributes are in one of the ranges.
  func cover(_ range: ClosedRange<Int>) -> Bool {
    var next = range.lowerBound
    for known in sorted(by: { $0.first < $1.first }) where known.first <= next {
      next = Swift.max(next, Int(known.last) + 1)
    }
    return next > range.upperBound
  }
}

extension ObservedTable.DeclaredUUID {
  /// A UUID as a declaration has it: 2 or 16 bytes.
  init?(_ bytes: some Collection<UInt8>) {
    guard let uuid = BluetoothUUID(attributeTypeBytes: bytes) else { return nil }
    self.init(uuid, isLong: bytes.count == 16 && uuid.width == .bits16)
  }
}

extension BluetoothUUID {
  /// Whether it is the type of a declaration: of a service, an include or a characteristic (Vol 3 Part G 3.1 to 3.3).
  var isDeclaration: Bool {
    guard let short else { return false }
    return (0x2800...0x2803).contains(short)
  }
}
