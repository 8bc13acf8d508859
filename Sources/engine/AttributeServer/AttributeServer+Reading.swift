import Behavior
import Bluetooth

// Reads (Vol 3 Part F 3.4.4).
extension AttributeServer {
  /// Why the central may not read an attribute; nil: it may.
  func error(reading access: AttributeAccess) -> ATTError? { error(access, denied: .readNotPermitted) }

  /// The value of an attribute that the server itself has; nil: the device has it.
  func ownValue(of content: AttributeDatabase.Content) -> [UInt8]? {
    switch content {
    case .constant(let value): value
    case .clientFeatures: client.features.value
    case .configuration(let subscribed, _): client.configuration(of: subscribed).bytes
    case .value: nil
    }
  }

  /// Asks the device for a value.
  mutating func ask(
    _ content: AttributeDatabase.Content, from offset: Int = 0, then request: RequestInProgress
  ) {
    guard case .value(let reference) = content else { return }
    ask(.readRequested(central, reference, offset: offset), then: request)
  }

  /// The content of an attribute, if it exists and the central may read it; if not, the request is refused.
  private mutating func readable(
    _ handle: AttributeHandle, _ opcode: AttributeOpcode
  ) -> AttributeDatabase.Content? {
    guard let index = database.index(of: handle) else {
      refuse(opcode, handle, .invalidHandle)
      return nil
    }
    guard let error = error(reading: database.attributes[index].read) else {
      return database.attributes[index].content
    }
    refuse(opcode, handle, error)
    return nil
  }

  mutating func read(_ handle: AttributeHandle) {
    guard let content = readable(handle, .readRequest) else { return }
    if let value = ownValue(of: content) { return send(.readResponse(Array(value.prefix(mtu - 1)))) }
    ask(content, then: .read(handle))
  }

  mutating func readBlob(_ handle: AttributeHandle, from offset: Int) {
    guard let content = readable(handle, .readBlobRequest) else { return }
    guard let value = ownValue(of: content) else {
      return ask(content, from: offset, then: .readBlob(handle))
    }
    guard offset <= value.count else { return refuse(.readBlobRequest, handle, .invalidOffset) }
    send(.readBlobResponse(Array(value.dropFirst(offset).prefix(mtu - 1))))
  }

  /// Goes on with the device's response to a read.
  mutating func proceed(reading handle: AttributeHandle, _ opcode: AttributeOpcode, _ response: Response) {
    guard case .value(let value) = response else {
      return refuse(opcode, handle, response)
    }
    let part = value.count < mtu ? value : Array(value[..<(mtu - 1)])
    send(opcode == .readRequest ? .readResponse(part) : .readBlobResponse(part))
  }
}

// MARK: Several values

extension AttributeServer {
  mutating func readMultiple(_ handles: [AttributeHandle], _ opcode: AttributeOpcode) {
    `continue`(MultipleRead(opcode: opcode, handles: handles[...]))
  }

  private mutating func `continue`(_ read: MultipleRead) {
    var read = read
    while let handle = read.handles.first {
      guard let content = readable(handle, read.opcode) else { return }
      guard let value = ownValue(of: content) else { return ask(content, then: .readMultiple(read)) }
      read.handles.removeFirst()
      read.values.append(value)
    }
    end(read)
  }

  /// Goes on with the device's response for the first handle.
  mutating func proceed(_ read: MultipleRead, _ response: Response) {
    var read = read
    guard let handle = read.handles.popFirst() else { return }
    guard case .value(let value) = response else {
      return refuse(read.opcode, handle, response)
    }
    read.values.append(value)
    `continue`(read)
  }

  /// Sends the values, cut to the MTU: one after the other, or each with its length.
  private mutating func end(_ read: MultipleRead) {
    var room = mtu - 1
    guard read.opcode == .readMultipleVariableRequest else {
      return send(.readMultipleResponse(Array(read.values.joined().prefix(room))))
    }
    var values: [VariableValue] = []
    for value in read.values where room >= 2 {
      values.append(VariableValue(length: UInt16(value.count), Array(value.prefix(room - 2))))
      room -= 2 + value.count
    }
    send(.readMultipleVariableResponse(values))
  }
}
