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

// MARK: What a central may do with an attribute

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
