import Bluetooth
import Centrals
import DeviceModel
import Transcripts

extension AttributeMap {
  var found: [FoundCharacteristic] { table.found { characteristics[$0] != nil } }

  /// Whether the device has the attribute now.
  func isPresent(_ attribute: AttributeReference) -> Bool { table.contains(attribute.characteristic) }

  func remote(_ characteristic: Int) throws(TestBedError) -> DiscoveredCharacteristic {
    if let remote = characteristics[characteristic] { return remote }
    throw TestBedError("the central does not find '\(definition.characteristics[characteristic].id)'")
  }

  func handle(of attribute: AttributeReference) throws(TestBedError) -> AttributeHandle {
    _ = try remote(attribute.characteristic)
    if let handle = handles[attribute] { return handle }
    throw TestBedError("the central does not find '\(definition.name(of: attribute))'")
  }
}
