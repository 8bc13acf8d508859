import Bluetooth
import DeviceModel
import Learning

/// Finds the attributes of a recording in a device that may have them at other handles.
///
/// A characteristic is the one with the same id; otherwise the one with the same UUID and, if several have it, the same
/// place among them. Where the recording has no declaration, the handle is taken to be the same.
struct HandleMap {
  let recorded: ObservedTable
  let definition: PeripheralDefinition
  let table: AttributeTable
  let handles: [HandleOwner: AttributeHandle]

  /// The handle in the device of a recorded value or descriptor; nil: the device does not have it.
  func handle(of recordedHandle: AttributeHandle) -> AttributeHandle? {
    guard let characteristic = recorded.characteristic(of: recordedHandle) else { return recordedHandle }
    guard let index = index(of: characteristic) else {
      return characteristic.isSupposed ? recordedHandle : nil
    }
    guard let descriptor = recorded.descriptor(at: recordedHandle) else {
      return handles[.attribute(.characteristic(index))]
    }
    return handle(of: descriptor.uuid, of: index)
  }

  /// The handle of the characteristic's value in the device, for a handle with which it sends.
  func valueHandle(sendingFrom handle: AttributeHandle) -> AttributeHandle {
    for (index, characteristic) in definition.characteristics.enumerated() {
      guard let number = characteristic.sendingDescriptor,
        handles[.attribute(.descriptor(number, of: index))] == handle
      else { continue }
      return handles[.attribute(.characteristic(index))] ?? handle
    }
    return handle
  }

  /// The handle of the Client Characteristic Configuration of a recorded value; nil: the device has none there.
  func configuration(of recordedHandle: AttributeHandle) -> AttributeHandle? {
    recorded.characteristic(of: recordedHandle).flatMap(index).flatMap { handle(of: 0x2902, of: $0) }
  }

  private func handle(of descriptor: BluetoothUUID, of index: Int) -> AttributeHandle? {
    let number = definition.characteristics[index].descriptors.firstIndex { $0.uuid == descriptor }
    return number.flatMap { handles[.attribute(.descriptor($0, of: index))] }
      ?? (descriptor == 0x2902 ? handles[.configuration(of: index)] : nil)
  }

  private func index(of characteristic: ObservedTable.Characteristic) -> Int? {
    let id = recorded.id(of: characteristic)
    if let index = definition.characteristics.firstIndex(where: { $0.id == id }) { return index }
    let uuid = characteristic.uuid.uuid
    let alike = table.services.flatMap(\.characteristics).filter { $0.uuid == uuid }
    let place = recorded.characteristics.filter { $0.uuid.uuid == uuid }.firstIndex {
      $0.valueHandle == characteristic.valueHandle
    }
    return place.flatMap { ($0 < alike.count ? alike[$0] : alike.last)?.index }
  }
}
