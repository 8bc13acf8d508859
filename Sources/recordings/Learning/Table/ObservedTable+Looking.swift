import Bluetooth

extension ObservedTable {
  /// All characteristics, in order.
  package var characteristics: [Characteristic] { services.flatMap(\.characteristics) }

  /// The handles of all declarations.
  var declarations: Set<AttributeHandle> {
    Set(
      services.flatMap { service in
        [service.handle] + service.includes.map(\.handle) + service.characteristics.map(\.handle)
      }.compactMap(\.self))
  }

  /// Whether it has attributes whose UUIDs are not known.
  var hasPlaceholders: Bool {
    services.contains { $0.uuid.uuid.placeholderHandle != nil }
      || characteristics.contains {
        $0.uuid.uuid.placeholderHandle != nil || $0.descriptors.contains { $0.uuid.placeholderHandle != nil }
      }
  }

  /// The characteristic that an attribute belongs to: its declaration, its value, or one of its descriptors.
  package func characteristic(of handle: AttributeHandle) -> Characteristic? {
    for service in services {
      if let found = service.characteristics.first(where: { $0.contains(handle) }) { return found }
    }
    return nil
  }

  package func descriptor(at handle: AttributeHandle) -> Descriptor? {
    characteristic(of: handle)?.descriptors.first { $0.handle == handle }
  }

  /// The id in the definition of the characteristic that an attribute belongs to; nil: it was not declared.
  package func id(of handle: AttributeHandle) -> String? { characteristic(of: handle).map(id) }

  /// The UUID if no other characteristic has it, otherwise with the handle of the value: `FFE1-0005`. The name begins with
  /// a letter: `characteristic-2A4D-0015`. `handle-0005` if the UUID is not known.
  package func id(of characteristic: Characteristic) -> String {
    let uuid = characteristic.uuid.uuid
    if let handle = uuid.placeholderHandle { return "handle-\(handle.hexadecimal(digits: 4))" }
    let alike = services.reduce(0) { $0 + $1.characteristics.count { $0.uuid.uuid == uuid } }
    guard alike > 1, let handle = characteristic.valueHandle else { return uuid.description }
    return Self.name("characteristic", uuid, handle)
  }

  /// The UUID if no other service has it, otherwise with the handle of the declaration.
  func id(of service: Service) -> String {
    let uuid = service.uuid.uuid
    if let handle = uuid.placeholderHandle { return "service-\(handle.hexadecimal(digits: 4))" }
    let isAlone = services.count { $0.uuid.uuid == uuid } <= 1
    guard !isAlone, let handle = service.handle else { return uuid.description }
    return Self.name("service", uuid, handle)
  }

  /// `FFE1`, `FFE1/2901`, or `0x0012` for an attribute that is not declared.
  package func name(of handle: AttributeHandle) -> String {
    let number = "0x\(handle.hexadecimal(digits: 4))"
    guard let characteristic = characteristic(of: handle) else { return number }
    let id = id(of: characteristic)
    if characteristic.valueHandle == handle { return id }
    return descriptor(at: handle).map { "\(id)/\($0.uuid)" } ?? number
  }

  private static func name(_ kind: String, _ uuid: BluetoothUUID, _ handle: AttributeHandle) -> String {
    let name = "\(uuid)-\(handle.hexadecimal(digits: 4))"
    return name.first?.isLetter == true ? name : "\(kind)-\(name)"
  }
}

extension ObservedTable.Characteristic {
  /// Whether a central can subscribe to it.
  var canNotify: Bool { !(properties ?? []).isDisjoint(with: [.notify, .indicate]) }

  /// Whether a definition can send values from it.
  var sendsValues: Bool { canNotify || sendsToEveryone }

  /// Whether it sends values without a subscription: a descriptor sends them, and there is nothing to subscribe to.
  var sendsToEveryone: Bool { !canNotify && sendingDescriptor != nil }

  /// Whether a central gets its values without a subscription, as far as the recording shows.
  var needsNoSubscription: Bool { sendsToEveryone || hasNoCCCD || ignoresSubscriptions }

  /// The descriptor with whose handle the device notifies its values; nil: they have the handle of the value.
  var sendingDescriptor: ObservedTable.Descriptor? {
    value.isNotified ? nil : descriptors.first { $0.value.isNotified && ![0x2900, 0x2902].contains($0.uuid) }
  }

  fileprivate func contains(_ attribute: AttributeHandle) -> Bool {
    valueHandle == attribute || handle == attribute || descriptors.contains { $0.handle == attribute }
  }
}
