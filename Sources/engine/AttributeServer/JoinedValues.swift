import Bluetooth

/// The values that go to a central in one PDU.
package struct JoinedValues: Hashable, Sendable {
  /// Where they come from, by index in the definition, in order.
  package private(set) var characteristics: [Int] = []
  private var values: [AttributeValue] = []
  /// The bytes of a Multiple Handle Value Notification.
  private var size = 1

  var isEmpty: Bool { values.isEmpty }

  /// A value that is alone always has room: it goes as a Handle Value Notification, which is shorter.
  func hasRoom(for value: AttributeValue, mtu: Int) -> Bool {
    values.isEmpty || size + Self.size(of: value) <= mtu
  }

  mutating func append(_ value: AttributeValue, from characteristic: Int) {
    characteristics.append(characteristic)
    values.append(value)
    size += Self.size(of: value)
  }

  /// The bytes of its handle, its length and itself.
  private static func size(of value: AttributeValue) -> Int { 4 + value.value.count }

  /// The PDU. A Multiple Handle Value Notification has two values or more.
  package var packet: [UInt8] {
    values.count == 1
      ? AttributePDU.notification(values[0].handle, values[0].value).encode()
      : AttributePDU.multipleNotification(values).encode()
  }
}
