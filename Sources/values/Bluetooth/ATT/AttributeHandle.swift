/// The number of an attribute in its server's table (Core Specification, Vol 3 Part F 3.2.2). No attribute has 0.
package typealias AttributeHandle = UInt16

/// A range of handles in a PDU. A peer may send the higher one first.
package struct HandleRange: Hashable, Sendable {
  package var first: AttributeHandle
  package var last: AttributeHandle

  package init(_ first: AttributeHandle, _ last: AttributeHandle) {
    self.first = first
    self.last = last
  }

  /// All handles.
  package static let all = HandleRange(0x0001, 0xFFFF)
}

/// A row of a Find Information Response: an attribute and its type.
package struct AttributeInformation: Hashable, Sendable {
  package var handle: AttributeHandle
  package var type: BluetoothUUID

  package init(_ handle: AttributeHandle, _ type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}

/// An attribute and its value, in PDUs that carry several.
package struct AttributeValue: Hashable, Sendable {
  package var handle: AttributeHandle
  package var value: [UInt8]

  package init(_ handle: AttributeHandle, _ value: [UInt8]) {
    self.handle = handle
    self.value = value
  }
}

/// A value in a Read Multiple Variable Response, of which the MTU may have cut the end.
package struct VariableValue: Hashable, Sendable {
  /// The length of the whole value, bytes.
  package var length: UInt16
  package var value: [UInt8]

  package init(length: UInt16, _ value: [UInt8]) {
    self.length = length
    self.value = value
  }
}

/// A row of a Read By Group Type Response: for example, the attributes of a service and the service's UUID.
package struct AttributeGroup: Hashable, Sendable {
  package var handles: HandleRange
  package var value: [UInt8]

  package init(_ handles: HandleRange, _ value: [UInt8]) {
    self.handles = handles
    self.value = value
  }
}
