import Bluetooth

/// The attributes of a device for certain settings.
package struct AttributeTable: Hashable, Sendable {
  package struct Service: Hashable, Sendable {
    /// Its index in ``PeripheralDefinition/services``.
    package var index: Int
    package var uuid: BluetoothUUID
    package var characteristics: [Characteristic]
    /// Where its declaration stays, if no attribute before it needs the handle; nil: where the order has it.
    package var handle: AttributeHandle?
  }

  package struct Characteristic: Hashable, Sendable {
    /// Its index in ``PeripheralDefinition/characteristics``.
    package var index: Int
    package var uuid: BluetoothUUID
    /// Where its value stays, likewise.
    package var handle: AttributeHandle?
  }

  /// In the order of the file.
  package var services: [Service]

  package init(services: [Service]) {
    self.services = services
  }

  /// Whether it contains a characteristic, by index in the definition.
  package func contains(_ characteristic: Int) -> Bool {
    services.contains { $0.characteristics.contains { $0.index == characteristic } }
  }

  /// The same attributes, of which those with these handles keep them.
  package func staying(at handles: [HandleOwner: AttributeHandle]) -> Self {
    var table = self
    for (number, service) in services.enumerated() {
      table.services[number].handle = handles[.service(service.index)]
      for (place, characteristic) in service.characteristics.enumerated() {
        let owner = HandleOwner.attribute(.characteristic(characteristic.index))
        table.services[number].characteristics[place].handle = handles[owner]
      }
    }
    return table
  }
}

extension PeripheralDefinition {
  /// The attributes for these settings.
  ///
  /// - Throws: ``AttributeTableError``.
  package func attributes(in context: EvaluationContext) throws -> AttributeTable {
    let table = AttributeTable(
      services: try services.indices.compactMap { try service($0, in: context) })
    guard services.isEmpty || !table.services.isEmpty else {
      throw AttributeTableError(place: .device, reason: .noServices)
    }
    return table
  }

  /// The advertisement for these settings.
  ///
  /// - Throws: as ``attributes(in:)`` and ``AdvertisementTemplate/resolved(in:with:)``.
  package func advertised(in context: EvaluationContext) throws -> Advertisement {
    try advertisement.resolved(in: context, with: attributes(in: context))
  }

  private func service(_ index: Int, in context: EvaluationContext) throws -> AttributeTable.Service? {
    // A copy of a whole definition would retain all its parts.
    let uuid = try AttributeTableError.at(.service(index, services[index].id)) {
      try services[index].presence?.condition.isTrue(in: context) ?? true
        ? try services[index].uuid.resolved(in: context) : nil
    }
    guard let uuid else { return nil }
    return AttributeTable.Service(
      index: index, uuid: uuid,
      characteristics: try services[index].characteristics.compactMap { try characteristic($0, in: context) })
  }

  private func characteristic(
    _ index: Int, in context: EvaluationContext
  ) throws -> AttributeTable.Characteristic? {
    try AttributeTableError.at(.characteristic(index, characteristics[index].id)) {
      guard try characteristics[index].presence?.condition.isTrue(in: context) ?? true else { return nil }
      return AttributeTable.Characteristic(
        index: index, uuid: try characteristics[index].uuid.resolved(in: context))
    }
  }
}

/// Why there is no attribute table for certain settings.
package struct AttributeTableError: Error, CustomStringConvertible {
  /// By index in the definition, with its id.
  package enum Place {
    case device
    case service(Int, String)
    case characteristic(Int, String)
  }

  package enum Reason {
    /// The device has no services.
    case noServices
    /// A condition or a UUID has no value.
    case failed(any Error)
  }

  package var place: Place
  package var reason: Reason

  fileprivate static func at<Result>(_ place: Place, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw AttributeTableError(place: place, reason: .failed(error)) }
  }

  package var description: String {
    switch place {
    case .device: reason.description
    case .service(_, let id): "the service '\(id)': \(reason.description)"
    case .characteristic(_, let id): "the characteristic '\(id)': \(reason.description)"
    }
  }
}

extension AttributeTableError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noServices: "the device has no services"
    case .failed(let error): "\(error)"
    }
  }
}
