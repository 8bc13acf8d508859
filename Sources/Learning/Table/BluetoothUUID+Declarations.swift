import Bluetooth

extension BluetoothUUID {
  /// Whether it is the type of a declaration: of a service, an include or a characteristic (Vol 3 Part G 3.1 to 3.3).
  var isDeclaration: Bool {
    guard let short else { return false }
    return (0x2800...0x2803).contains(short)
  }
}
