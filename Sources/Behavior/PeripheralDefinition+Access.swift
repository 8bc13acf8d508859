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

  package func canWrite(_ attribute: AttributeReference) -> Bool {
    switch attribute {
    case .characteristic(let index): characteristics[index].properties.canBeWritten
    case .descriptor(let index, let characteristic): descriptor(index, of: characteristic).canWrite
    }
  }

  private func descriptor(_ index: Int, of characteristic: Int) -> DescriptorDefinition {
    characteristics[characteristic].descriptors[index]
  }
}
