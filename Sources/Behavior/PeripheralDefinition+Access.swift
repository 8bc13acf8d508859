import Bluetooth
import DeviceModel

/// What a central may do with an attribute.
extension PeripheralDefinition {
  package func canRead(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index): characteristics[index].properties.contains(.read)
    case .descriptor(let index, let characteristic): descriptor(index, of: characteristic).canRead
    }
  }

  /// - Parameter kind: nil: in any way.
  package func canWrite(_ attribute: AttributeReference, _ kind: WriteKind? = nil) -> Bool {
    switch (attribute, kind) {
    case (.characteristic(let index), nil): characteristics[index].properties.canBeWritten
    case (.characteristic(let index), let kind?):
      characteristics[index].properties.contains(kind == .command ? .writeWithoutResponse : .write)
    case (.descriptor(let index, let characteristic), _): descriptor(index, of: characteristic).canWrite
    }
  }

  private func descriptor(_ index: Int, of characteristic: Int) -> DescriptorDefinition {
    characteristics[characteristic].descriptors[index]
  }
}
