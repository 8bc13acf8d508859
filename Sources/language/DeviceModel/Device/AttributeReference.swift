import Bluetooth

/// An attribute of the definition, by index.
package enum AttributeReference: Hashable, Sendable {
  case characteristic(Int)
  /// The descriptor with this index of that characteristic.
  case descriptor(Int, of: Int)

  /// The characteristic that it is or belongs to.
  package var characteristic: Int {
    switch self {
    case .characteristic(let index), .descriptor(_, let index): index
    }
  }
}

/// An attribute whose handle expressions can ask for.
package enum HandleOwner: Hashable, Sendable {
  case attribute(AttributeReference)
  /// The Client Characteristic Configuration (2902) of the characteristic with this index, which belongs to the server.
  case configuration(of: Int)
  /// The declaration of the service with this index.
  case service(Int)
}

/// The handles that a server gives to the attributes that a device has with some settings.
package typealias HandleLayout =
  @Sendable (PeripheralDefinition, AttributeTable) -> [HandleOwner: AttributeHandle]

extension PeripheralDefinition {
  /// The name of an attribute in the log: `serial`, or `serial/2901` for a descriptor.
  package func name(of attribute: AttributeReference) -> String {
    switch attribute {
    case .characteristic(let index): characteristics[index].id
    case .descriptor(let index, let characteristic):
      "\(characteristics[characteristic].id)/\(characteristics[characteristic].descriptors[index].uuid)"
    }
  }
}

// MARK: A central's access to an attribute

extension [CharacteristicDefinition] {
  package func canRead(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index): self[index].canBeRead
    case .descriptor(let number, let index): self[index].descriptors[number].canRead
    }
  }

  package func canWrite(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index): self[index].canBeWritten
    case .descriptor(let number, let index): self[index].descriptors[number].canWrite
    }
  }
}
