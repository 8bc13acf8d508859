import Bluetooth

// Multiple Handle Value Notifications (Vol 3 Part F 3.4.7.4, Part G 4.10.2).
extension AttributeServer {
  /// Whether the values that one event notifies go to the central together.
  package var joinsValues: Bool { database.joinsValues && features.contains(.multipleNotifications) }

  /// Takes a value that goes to the central by notification, cut to the MTU, and lets it wait for others of the same event.
  ///
  /// The caller takes the values that wait at the end of the event, and before it sends any other PDU.
  ///
  /// - Returns: the values before it, if this one does not fit into their PDU: they have to be sent now.
  package mutating func join(_ value: ArraySlice<UInt8>, from characteristic: Int) -> JoinedValues? {
    guard let handle = database.sendingHandle(of: characteristic) else { return nil }
    let new = AttributeValue(handle, Array(value.prefix(mtu - 3)))
    let full = joined.hasRoom(for: new, mtu: mtu) ? nil : takeJoinedValues()
    joined.append(new, from: characteristic)
    return full
  }

  /// The values that wait; nil: there are none.
  package mutating func takeJoinedValues() -> JoinedValues? {
    guard !joined.isEmpty else { return nil }
    defer { joined = JoinedValues() }
    return joined
  }
}

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
