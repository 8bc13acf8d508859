import Bluetooth
import DeviceModel

extension LearntDefinition {
  /// Describes the attributes as they were found. A handle is there only where counting gives another one.
  ///
  /// - Parameter address: that of the device, where it stands for that of any device with the definition.
  package mutating func addServices(_ table: ObservedTable, address: DeviceAddress? = nil) {
    var learner = AttributeLearner(table: table, AddressedBytes(address: address))
    for service in table.services { learner.add(service) }
    (device.services, device.characteristics) = (learner.services, learner.characteristics)
    comments.merge(learner.comments) { $1 }
    if learner.isCut {
      let most = AttributeLearner.mostCharacteristics
      origin.append("A definition has at most \(most) characteristics; more are left out.")
    }
    if !table.undeclared.isEmpty {
      let handles = table.undeclared.map { $0.hexadecimal(digits: 4) }.joined(separator: ", ")
      origin.append(
        "The central used these handles, which no discovery in the recording declares: \(handles).")
    }
    if table.hasPlaceholders {
      origin.append(
        "UUIDs that are not known end with 756E6B6E6F77. The first connection of the app has the real ones: learn from its "
          + "recording as well, or add a listing of the attributes with --table.")
    }
  }
}

/// Makes services of those that were found, and counts handles as blemu does.
private struct AttributeLearner {
  let table: ObservedTable
  let ownBytes: AddressedBytes
  private(set) var services: [ServiceDefinition] = []
  private(set) var characteristics: [CharacteristicDefinition] = []
  private(set) var comments: [String: String] = [:]
  /// Whether the device has more characteristics than a definition can.
  private(set) var isCut = false
  /// Of the attribute before; nil: nothing can be counted from there.
  private var lastHandle: Int?
  private var ids: Set<String> = []

  static let mostCharacteristics = 256

  init(table: ObservedTable, _ ownBytes: AddressedBytes) {
    (self.table, self.ownBytes) = (table, ownBytes)
    // A device without these two gets plain ones, so the handle of its first service is not counted.
    let isWhole = table.services.contains { $0.uuid.uuid == 0x1800 || $0.uuid.uuid == 0x1801 }
    lastHandle = isWhole ? 0 : nil
  }

  mutating func add(_ found: ObservedTable.Service) {
    let first = characteristics.count
    var service = ServiceDefinition(
      id: table.id(of: found), uuid: found.uuid.template, presence: nil, isPrimary: found.isPrimary,
      characteristics: first..<first)
    service.handle = pin(found.handle)
    service.includes = found.includes.compactMap { include in
      table.services.firstIndex {
        $0.handle == include.service?.first && $0.handle != nil && $0.handle != found.handle
      }
    }
    lastHandle = lastHandle.map { $0 + service.includes.count }
    let room = Self.mostCharacteristics - first
    isCut = isCut || found.characteristics.count > room
    for characteristic in found.characteristics.prefix(room) {
      let place = "services/\(services.count)/characteristics/\(characteristics.count - first)"
      let remarks = [characteristic.uuid.uuid.name].compactMap(\.self) + characteristic.remarks
      if !remarks.isEmpty { comments[place] = remarks.joined(separator: "; ") }
      add(characteristic)
    }
    service.characteristics = first..<characteristics.count
    if let end = found.endHandle, Int(end) != lastHandle, Int(end) > lastHandle ?? 0 {
      service.endHandle = end
      lastHandle = Int(end)
    }
    if found.uuid.uuid.placeholderHandle != nil { comments["services/\(services.count)"] = "UUID not known" }
    services.append(service)
  }

  private mutating func add(_ found: ObservedTable.Characteristic) {
    var characteristic = CharacteristicDefinition(
      id: unique(table.id(of: found)), uuid: found.uuid.template, presence: nil,
      properties: found.propertiesWithExtended, permissions: found.permissions,
      value: ValueTemplate(found.isServersOwn ? nil : found.value.first, of: found.uuid.uuid, ownBytes),
      descriptors: [])
    characteristic.handle = pin(found.valueHandle, declarations: 1)
    if found.hasNoCCCD || found.sendsToEveryone {
      characteristic.cccd = .none
    } else if found.ignoresSubscriptions, found.canNotify {
      characteristic.cccd = .ignored
    }
    let implied = found.impliedDescriptors
    let descriptors = found.possibleDescriptors
    let isAsImplied =
      descriptors.prefix(implied.count).map(\.uuid) == implied
      && descriptors.prefix(implied.count).enumerated().allSatisfy { index, descriptor in
        guard let handle = descriptor.handle, let value = found.valueHandle else { return true }
        return Int(handle) == Int(value) + 1 + index
      }
    let isImplied = isAsImplied || !descriptors.contains { implied.contains($0.uuid) }
    if isImplied { lastHandle = lastHandle.map { $0 + implied.count } }
    characteristic.descriptors = descriptors.dropFirst(isAsImplied ? implied.count : 0).map {
      descriptor($0, sends: $0 == found.sendingDescriptor)
    }
    characteristics.append(characteristic)
  }

  /// - Parameter sends: whether the values of the characteristic have its handle.
  private mutating func descriptor(_ found: ObservedTable.Descriptor, sends: Bool) -> DescriptorDefinition {
    let value = found.value
    let canWrite =
      value.isWritten || value.acceptsWrites || found.uuid == 0x2902
      || value.refusedWrites.contains { $0.error != .writeNotPermitted }
    var descriptor = DescriptorDefinition(
      uuid: found.uuid, canRead: true, canWrite: canWrite, permissions: value.permissions,
      value: ValueTemplate(value.first, of: found.uuid, ownBytes))
    descriptor.canNotify = sends
    descriptor.handle = pin(found.handle)
    return descriptor
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
  private mutating func pin(_ handle: AttributeHandle?, declarations: Int = 0) -> AttributeHandle? {
    let counted = lastHandle.map { $0 + declarations + 1 }
    lastHandle = handle.map(Int.init) ?? counted
    return counted == handle.map(Int.init) ? nil : handle
  }
}

extension ObservedTable.DeclaredUUID {
  fileprivate var template: UUIDTemplate { isLong ? .long(uuid) : .literal(uuid) }
}
