import Bluetooth
import Learning

extension ObservedTable {
  /// `FFE1`, `FFE1/2901`, or `0x0012` for an attribute that is not declared.
  package func name(of handle: AttributeHandle) -> String {
    let number = "0x\(handle.hexadecimal(digits: 4))"
    guard let characteristic = characteristic(of: handle) else { return number }
    let id = id(of: characteristic)
    if characteristic.valueHandle == handle { return id }
    return descriptor(at: handle).map { "\(id)/\($0.uuid)" } ?? number
  }
}
