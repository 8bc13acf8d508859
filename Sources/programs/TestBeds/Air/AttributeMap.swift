import Behavior
import Bluetooth
import DeviceModel
import Transcripts

/// Maps the attributes of a definition to those that a central has discovered.
struct AttributeMap {
  private let definition: PeripheralDefinition
  private let table: AttributeTable
  /// By index in the definition; nil if the central has not discovered it.
  private var characteristics: [DiscoveredCharacteristic?]

  /// Finds the definition's attributes among the discovered ones.
  ///
  /// bluetoothd's own services come first, so of several with the same UUID the device's is the last.
  init(_ definition: PeripheralDefinition, _ table: AttributeTable, in database: DiscoveredTable) {
    self.definition = definition
    self.table = table
    characteristics = Array(repeating: nil, count: definition.characteristics.count)
    var rest = database.services
    for service in table.services.reversed() {
      guard let index = rest.lastIndex(where: { $0.uuid == service.uuid }) else { continue }
      map(service.characteristics, to: rest.remove(at: index))
    }
  }

  private mutating func map(_ known: [AttributeTable.Characteristic], to service: DiscoveredService) {
    var rest = service.characteristics
    for characteristic in known {
      guard let place = rest.firstIndex(where: { $0.uuid == characteristic.uuid }) else { continue }
      characteristics[characteristic.index] = rest.remove(at: place)
    }
  }
}

extension AttributeMap {
  /// The characteristic, by index in the definition, whose values come with this handle.
  func characteristic(sendingFrom handle: AttributeHandle) -> Int? {
    characteristics.indices.first { index in
      let descriptor = definition.characteristics[index].sendingDescriptor
      let sender = descriptor.map { AttributeReference.descriptor($0, of: index) } ?? .characteristic(index)
      return (try? self.handle(of: sender)) == handle
    }
  }

  var found: [FoundCharacteristic] { table.found { characteristics[$0] != nil } }

  /// Whether the device has the attribute now.
  func isPresent(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index), .descriptor(_, of: let index): table.contains(index)
    }
  }

  func remote(_ characteristic: Int) throws(TestBedError) -> DiscoveredCharacteristic {
    if let remote = characteristics[characteristic] { return remote }
    throw TestBedError("the central does not find '\(definition.characteristics[characteristic].id)'")
  }

  func handle(of attribute: AttributeReference) throws(TestBedError) -> AttributeHandle {
    switch attribute {
    case .characteristic(let index): return try remote(index).handle
    case .descriptor(let index, let characteristic):
      let uuid = definition.characteristics[characteristic].descriptors[index].uuid
      let descriptors = try remote(characteristic).descriptors
      if let found = descriptors.first(where: { $0.type == uuid }) { return found.handle }
      throw TestBedError("the central does not find '\(definition.name(of: attribute))'")
    }
  }
}
