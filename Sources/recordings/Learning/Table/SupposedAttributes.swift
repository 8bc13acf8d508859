import Behavior
import Bluetooth

/// Declarations of attributes that a recording uses, or finds by their types, and does not declare: the central knew them from an
/// earlier connection, or did not ask.
///
/// Their handles are those of the recording. Their properties are what was done with them, and their UUIDs placeholders where no
/// type is known.
struct SupposedAttributes {
  private(set) var services: [AttributeHandle: AttributeFindings.Service] = [:]
  private(set) var characteristics: [AttributeHandle: AttributeFindings.Characteristic] = [:]
  private(set) var types: [AttributeHandle: BluetoothUUID] = [:]
  /// The attributes that got a type here.
  var guesses: Set<AttributeHandle> { Set(types.keys) }

  private let findings: AttributeFindings
  private var uses: [AttributeHandle: AttributeUse] = [:]
  private let knownValues: Set<AttributeHandle>

  // MARK: Where the walk is

  /// The last attribute that has a place.
  private var last: AttributeHandle = 0
  /// Whether the attributes from here on belong to a service, up to its end.
  private var isInService = false
  private var serviceEnd: AttributeHandle?
  /// The declaration of the characteristic to which descriptors belong.
  private var current: AttributeHandle?

  init(of exchanges: [Exchange], in findings: AttributeFindings) {
    self.findings = findings
    knownValues = Set(findings.characteristics.values.map(\.valueHandle))
    for exchange in exchanges where exchange.handle > 0 && !exchange.findsNoAttribute {
      uses[exchange.handle, default: .init()].add(exchange)
    }
    let handles = Set(findings.services.keys).union(findings.includes.keys)
      .union(findings.characteristics.keys).union(knownValues).union(findings.types.keys).union(uses.keys)
    for handle in handles.sorted() where handle > 0 { place(handle) }
    for (declaration, characteristic) in characteristics {
      let properties = properties(of: characteristic)
      characteristics[declaration]?.properties = properties
    }
    for characteristic in Array(characteristics.values) + findings.characteristics.values {
      supposeConfiguration(of: characteristic)
    }
  }
}

// MARK: Places

extension SupposedAttributes {
  /// Gives an attribute its place after those with lower handles.
  private mutating func place(_ handle: AttributeHandle) {
    if let serviceEnd, handle > serviceEnd { leaveService() }
    let type = findings.types[handle]
    if let service = findings.services[handle] {
      begin(service)
    } else if type == 0x2800 || type == 0x2801 {
      beginSupposed(at: handle, isPrimary: type == 0x2800)
    } else if findings.characteristics[handle] != nil {
      if isInService || beginService(before: handle) { current = handle }
    } else if type == 0x2803 {
      declare(handle, value: handle &+ 1)
    } else if handle > last, findings.includes[handle] == nil, !knownValues.contains(handle),
      value(of: current) != handle
    {
      guard type != nil || !findings.covers(Int(handle)...Int(handle)) else { return }
      placeUndeclared(handle, type)
    }
    last = max(last, handle)
  }

  private mutating func begin(_ service: AttributeFindings.Service) {
    (isInService, serviceEnd, current) = (true, service.end, nil)
  }

  private mutating func beginSupposed(at handle: AttributeHandle, isPrimary: Bool) {
    let service = AttributeFindings.Service(
      uuid: .init(.placeholder(for: handle)), isPrimary: isPrimary, isSupposed: true)
    services[handle] = service
    begin(service)
  }

  private mutating func leaveService() {
    last = max(last, serviceEnd ?? 0)
    (isInService, serviceEnd, current) = (false, nil, nil)
  }

  /// Begins a service with the attribute before this one; false: that has another place.
  private mutating func beginService(before handle: AttributeHandle) -> Bool {
    guard handle > 1, handle - 1 > last else { return false }
    beginSupposed(at: handle - 1, isPrimary: true)
    return true
  }

  /// - Returns: whether there is room for the characteristic.
  @discardableResult
  private mutating func declare(_ declaration: AttributeHandle, value: AttributeHandle) -> Bool {
    guard declaration > last, value > declaration, serviceEnd.map({ value <= $0 }) ?? true,
      isInService || beginService(before: declaration)
    else { return false }
    let type = findings.types[value].flatMap { $0.isDeclaration ? nil : $0 }
    if type == nil { types[value] = .placeholder(for: value) }
    characteristics[declaration] = AttributeFindings.Characteristic(
      uuid: .init(type ?? .placeholder(for: value)), properties: [], valueHandle: value, isSupposed: true)
    (current, last) = (declaration, value)
    return true
  }

  private mutating func placeUndeclared(_ handle: AttributeHandle, _ type: BluetoothUUID?) {
    if isConfiguration(handle, type) {
      if !isOfCurrent(configuration: handle), handle > 2 { declare(handle - 2, value: handle - 1) }
      if let current, let value = value(of: current), sends(current) || characteristics[current] != nil,
        handle > value
      {
        if type == nil { types[handle] = 0x2902 }
        return
      }
    }
    if type?.isDescriptor != true, !isDeclarationKnown(before: handle), handle > 1,
      declare(handle - 1, value: handle)
    {
      return
    }
    if type == nil, let value = value(of: current), handle > value {
      types[handle] = .placeholder(for: handle)
    }
  }

  /// Whether the characteristics around an attribute are all declared, so that it is a descriptor.
  private func isDeclarationKnown(before handle: AttributeHandle) -> Bool {
    handle > 1 && findings.searched.cover(Int(handle - 1)...Int(handle - 1))
  }

  private func isConfiguration(_ handle: AttributeHandle, _ type: BluetoothUUID?) -> Bool {
    type.map { $0 == 0x2902 } ?? uses[handle]?.isConfiguration ?? false
  }

  /// Whether an attribute is the Client Characteristic Configuration of the characteristic before it, rather than that of one
  /// whose value was not used.
  private func isOfCurrent(configuration handle: AttributeHandle) -> Bool {
    guard let current, let value = value(of: current), handle > value else { return false }
    if handle - value <= 2 || isDeclarationKnown(before: handle - 1) { return true }
    let hasOne = (value + 1..<handle).contains { type(of: $0) == 0x2902 }
    return sends(current) && !hasOne && handle - value <= Self.mostDescriptors
  }

  /// After more attributes, a descriptor is rather that of another characteristic.
  private static let mostDescriptors = 4

  private func characteristic(_ declaration: AttributeHandle?) -> AttributeFindings.Characteristic? {
    declaration.flatMap { characteristics[$0] ?? findings.characteristics[$0] }
  }

  /// Whether a characteristic or a service is declared there.
  private func isDeclared(_ handle: AttributeHandle) -> Bool {
    characteristic(handle) != nil || services[handle] != nil || findings.services[handle] != nil
  }

  private func value(of declaration: AttributeHandle?) -> AttributeHandle? {
    characteristic(declaration)?.valueHandle
  }

  private func sends(_ declaration: AttributeHandle) -> Bool {
    guard let found = characteristic(declaration) else { return false }
    return !found.properties.isDisjoint(with: [.notify, .indicate])
      || uses[found.valueHandle]?.properties.isDisjoint(with: [.notify, .indicate]) == false
  }
}

// MARK: Properties

extension SupposedAttributes {
  /// What was done with a value. Of Service Changed, the specification says it (Vol 3 Part G 7.1).
  private func properties(of characteristic: AttributeFindings.Characteristic) -> CharacteristicProperties {
    if characteristic.uuid.uuid == 0x2A05 { return .indicate }
    let use = uses[characteristic.valueHandle] ?? AttributeUse()
    var properties = use.properties
    if let configuration = configuration(after: characteristic.valueHandle) {
      let requested = uses[configuration]?.configuration ?? []
      if requested.contains(.notification) { properties.insert(.notify) }
      if requested.contains(.indication) { properties.insert(.indicate) }
      if properties.isDisjoint(with: [.notify, .indicate]) { properties.insert(.notify) }
    }
    return properties.isEmpty ? .read : properties
  }

  /// The Client Characteristic Configuration between a value and the next declaration.
  private func configuration(after value: AttributeHandle) -> AttributeHandle? {
    var handle = value
    while handle < .max, handle - value <= Self.mostDescriptors {
      handle += 1
      if isDeclared(handle) { return nil }
      switch type(of: handle) {
      case 0x2902: return handle
      case let type?: if type.isDeclaration { return nil }
      case nil: break
      }
    }
    return nil
  }
}

extension SupposedAttributes {
  /// Adds the Client Characteristic Configuration of a characteristic that sends values after its other descriptors: it is next to
  /// the value only where that place is free.
  private mutating func supposeConfiguration(of characteristic: AttributeFindings.Characteristic) {
    let value = characteristic.valueHandle
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]), value < .max,
      configuration(after: value) == nil
    else { return }
    var handle = value + 1
    while handle < .max, let type = type(of: handle), !type.isDeclaration { handle += 1 }
    if handle > value + 1, type(of: handle) == nil, !isDeclared(handle) { types[handle] = 0x2902 }
  }

  private func type(of handle: AttributeHandle) -> BluetoothUUID? { types[handle] ?? findings.types[handle] }
}

/// What was done with an attribute.
private struct AttributeUse {
  private(set) var properties: CharacteristicProperties = []
  /// What was asked for, if it is a Client Characteristic Configuration.
  private(set) var configuration: ClientConfiguration = []
  private var isWrittenAsConfiguration = false
  private var hasOtherUse = false

  /// Whether it was used as a Client Characteristic Configuration is.
  var isConfiguration: Bool { isWrittenAsConfiguration && !hasOtherUse }

  mutating func add(_ exchange: Exchange) {
    switch exchange.kind {
    case .read(.success(let value)):
      properties.insert(.read)
      takeConfiguration(value)
    case .read(.refused(let error)): if error != .readNotPermitted { properties.insert(.read) }
    case .read(.unknown): properties.insert(.read)
    case .write(_, _, .refused(.writeNotPermitted)): break
    case .write(let value, let kind, _):
      properties.insert(kind == .command ? .writeWithoutResponse : .write)
      takeConfiguration(value)
      if kind == .request { isWrittenAsConfiguration = true } else { hasOtherUse = true }
    case .value(_, let delivery):
      properties.insert(delivery == .notification ? .notify : .indicate)
      hasOtherUse = true
    }
  }

  private mutating func takeConfiguration(_ value: [UInt8]) {
    guard value.count == 2, value[0] < 4, value[1] == 0 else { return hasOtherUse = true }
    configuration.formUnion(.init(rawValue: UInt16(value[0])))
  }
}

extension BluetoothUUID {
  /// The last 48 bits spell "unknow".
  private static let placeholders: UInt128 = 0x756E_6B6E_6F77

  /// The UUID of an attribute whose UUID is not known: `00000005-0000-0000-0000-756E6B6E6F77`.
  static func placeholder(for handle: AttributeHandle) -> BluetoothUUID {
    BluetoothUUID(value: UInt128(handle) << 96 | placeholders)
  }

  /// The handle that it stands for; nil: it is no placeholder.
  var placeholderHandle: AttributeHandle? {
    value & (UInt128.max >> 32) == Self.placeholders ? AttributeHandle(exactly: value >> 96) : nil
  }

  /// Whether it is the type of a descriptor of the specification (Assigned Numbers 3.7).
  fileprivate var isDescriptor: Bool { short.map { (0x2900...0x29FF).contains($0) } ?? false }
}
