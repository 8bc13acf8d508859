import Bluetooth
import DefinitionWriter

extension LearntDefinition {
  /// Describes the attributes as they were found. A handle is there only where counting gives another one.
  ///
  /// - Parameter address: that of the device, where it stands for that of any device with the definition.
  package mutating func addServices(_ table: ObservedTable, address: DeviceAddress? = nil) {
    guard !table.services.isEmpty else { return }
    var writer = ServicesWriter(table: table, AddressedBytes(address: address))
    services = .list(table.services.map { writer.service($0) }, .block)
    origin += writer.remarks
    if !table.undeclared.isEmpty {
      let handles = table.undeclared.map { $0.hexadecimal(digits: 4) }.joined(separator: ", ")
      origin.append(
        "The central used these handles, which no discovery in the recording declares: \(handles).")
    }
  }
}

/// Writes services, and counts handles as blemu does.
private struct ServicesWriter {
  let table: ObservedTable
  let ownBytes: AddressedBytes
  /// Of the attribute before; nil: nothing can be counted from there.
  private var lastHandle: Int?
  private var ids: Set<String> = []
  /// What the language cannot say.
  private(set) var remarks: [String] = []

  /// A definition has no more characteristics.
  private static let mostCharacteristics = 256

  init(table: ObservedTable, _ ownBytes: AddressedBytes) {
    (self.table, self.ownBytes) = (table, ownBytes)
    // A device without these two gets plain ones, so the handle of its first service is not counted.
    let isWhole = table.services.contains { $0.uuid.uuid == 0x1800 || $0.uuid.uuid == 0x1801 }
    lastHandle = isWhole ? 0 : nil
  }

  mutating func service(_ service: ObservedTable.Service) -> YAMLValue {
    let uuid = service.uuid.uuid
    var entries: [YAMLValue.Entry] = [.init("uuid", .text(service.uuid.text))]
    let id = table.id(of: service)
    if id != uuid.description { entries.add("id", .text(id)) }
    if !service.isPrimary { entries.add("primary", .flag(false)) }
    entries.add("handle", pin(service.handle))
    let included = service.includes.compactMap { include in
      table.services.first {
        $0.handle == include.service?.first && $0.handle != nil && $0.handle != service.handle
      }
    }
    if !included.isEmpty { entries.add("includes", .texts(included.map(table.id))) }
    for _ in included { lastHandle = lastHandle.map { $0 + 1 } }
    let room = Self.mostCharacteristics - ids.count
    if service.characteristics.count > room {
      remarks.append(
        "A definition has at most \(Self.mostCharacteristics) characteristics; more are left out.")
    }
    entries.add(
      "characteristics", .list(service.characteristics.prefix(room).map { characteristic($0) }, .block))
    if let end = service.endHandle.map(Int.init), end != lastHandle, end > lastHandle ?? 0 {
      entries.add("end-handle", .handle(end))
      lastHandle = end
    }
    return uuid.name.map { .commented(.object(entries, .block), $0) } ?? .object(entries, .block)
  }

  private mutating func characteristic(_ characteristic: ObservedTable.Characteristic) -> YAMLValue {
    let uuid = characteristic.uuid.uuid
    var entries: [YAMLValue.Entry] = [.init("uuid", .text(characteristic.uuid.text))]
    let id = unique(table.id(of: characteristic))
    if id != uuid.description { entries.add("id", .text(id)) }
    let properties = characteristic.propertiesWithExtended
    entries.add("properties", .texts(properties.names))
    let permissions = characteristic.permissions
    if !permissions.isEmpty { entries.add("permissions", .texts(permissions.names)) }
    if !characteristic.isServersOwn { entries.add(.initial(characteristic.value.first, of: uuid, ownBytes)) }
    if characteristic.hasNoCCCD { entries.add("cccd", .word("none")) }
    entries.add("handle", pin(characteristic.valueHandle, declarations: 1))
    let implied = characteristic.impliedDescriptors
    let found = characteristic.possibleDescriptors
    let isAsImplied =
      found.prefix(implied.count).map(\.uuid) == implied
      && found.prefix(implied.count).enumerated().allSatisfy { index, descriptor in
        guard let handle = descriptor.handle, let value = characteristic.valueHandle else { return true }
        return Int(handle) == Int(value) + 1 + index
      }
    let isImplied = isAsImplied || !found.contains { implied.contains($0.uuid) }
    if isImplied { lastHandle = lastHandle.map { $0 + implied.count } }
    let descriptors = found.dropFirst(isAsImplied ? implied.count : 0).map {
      descriptor($0, sends: $0 == characteristic.sendingDescriptor)
    }
    if !descriptors.isEmpty { entries.add("descriptors", .list(descriptors, .compact)) }
    let remarks = ([uuid.name].compactMap(\.self) + characteristic.remarks).joined(separator: "; ")
    let value = YAMLValue.object(entries, .compact)
    return remarks.isEmpty ? value : .commented(value, remarks)
  }

  /// - Parameter sends: whether the values of the characteristic have its handle.
  private mutating func descriptor(_ descriptor: ObservedTable.Descriptor, sends: Bool) -> YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("uuid", .text(descriptor.uuid.description))]
    let value = descriptor.value
    let isWritten =
      value.isWritten || value.acceptsWrites || descriptor.uuid == 0x2902
      || value.refusedWrites.contains { $0.error != .writeNotPermitted }
    let properties = ["read"] + (isWritten ? ["write"] : []) + (sends ? ["notify"] : [])
    if properties.count > 1 { entries.add("properties", .texts(properties)) }
    let permissions = value.permissions
    if !permissions.isEmpty { entries.add("permissions", .texts(permissions.names)) }
    entries.add("handle", pin(descriptor.handle))
    entries.add(.initial(value.first, of: descriptor.uuid, ownBytes))
    return .object(entries, .compact)
  }

  /// The id, with a number if an earlier characteristic has it: a listing may have no handles.
  private mutating func unique(_ id: String) -> String {
    if ids.insert(id).inserted { return id }
    let base = id.first?.isLetter == true ? id : "characteristic-\(id)"
    let number = (2...).first { !ids.contains("\(base)-\($0)") } ?? 2
    ids.insert("\(base)-\(number)")
    return "\(base)-\(number)"
  }

  /// Goes to the next attribute.
  ///
  /// - Parameter declarations: how many attributes come with it, before it.
  /// - Returns: its handle, if it is not the next one.
  private mutating func pin(_ handle: AttributeHandle?, declarations: Int = 0) -> YAMLValue? {
    let counted = lastHandle.map { $0 + declarations + 1 }
    lastHandle = handle.map(Int.init) ?? counted
    guard let handle, counted != Int(handle) else { return nil }
    return .handle(Int(handle))
  }
}

extension YAMLValue {
  fileprivate static func handle(_ handle: Int) -> Self { .word("0x\(handle.hexadecimal(digits: 4))") }
}

extension ObservedTable.DeclaredUUID {
  /// As the language writes it: all characters if it was declared in 128 bits.
  var text: String { isLong ? uuid.fullText.uppercased() : uuid.description }
}
