import Behavior
import Bluetooth
import DeviceModel

// Writes (Vol 3 Part F 3.4.5 and 3.4.6).
extension AttributeServer {
  mutating func write(_ value: [UInt8], to handle: AttributeHandle) {
    guard let attribute = database[handle] else { return refuse(.writeRequest, handle, .invalidHandle) }
    if let error = error(writing: attribute) { return refuse(.writeRequest, handle, error) }
    switch attribute.content {
    case .constant: refuse(.writeRequest, handle, .writeNotPermitted)
    case .value(let reference):
      request = .write(handle)
      actions.append(.ask(.writeRequested(central, reference, value: value, offset: 0, .request)))
    case .configuration(let subscribed, let possible):
      do throws(ATTError) {
        if try asksDevice(subscribed, value, possible, at: handle) { return }
        let events = try configure(subscribed, value, possible)
        send(.writeResponse)  // before the values that the subscription causes
        for event in events { actions.append(.tell(event)) }
      } catch {
        refuse(.writeRequest, handle, error)
      }
    }
  }

  /// Takes a Write Command, which has no response: one that is not permitted is ignored.
  mutating func take(_ value: [UInt8], for handle: AttributeHandle) {
    guard let attribute = database[handle], error(writing: attribute) == nil else { return }
    switch attribute.content {
    case .constant: break
    case .value(let reference):
      actions.append(.tell(.writeRequested(central, reference, value: value, offset: 0, .command)))
    case .configuration(let subscribed, let possible):
      if (try? asksDevice(subscribed, value, possible, at: nil)) == true { return }
      for event in (try? configure(subscribed, value, possible)) ?? [] { actions.append(.tell(event)) }
    }
  }

  private func error(writing attribute: AttributeDatabase.Attribute) -> ATTError? {
    error(attribute.write, denied: .writeNotPermitted)
  }

  /// Goes on with the device's response to a write.
  mutating func proceed(writing handle: AttributeHandle, _ response: Response) {
    if let error = response.error { refuse(.writeRequest, handle, error) } else { send(.writeResponse) }
  }
}

// MARK: Prepared writes

extension AttributeServer {
  /// Queues a part of a value. It is checked when it is written, except for permission.
  mutating func prepare(_ part: [UInt8], for handle: AttributeHandle, _ offset: UInt16) {
    let opcode = AttributeOpcode.prepareWriteRequest
    guard let attribute = database[handle] else { return refuse(opcode, handle, .invalidHandle) }
    if let error = error(writing: attribute) { return refuse(opcode, handle, error) }
    guard case .value(let reference) = attribute.content else {
      return refuse(opcode, handle, .requestNotSupported)
    }
    guard prepared.count < limits.preparedWrites else { return refuse(opcode, handle, .prepareQueueFull) }
    prepared.append(PreparedWrite(handle: handle, attribute: reference, offset: Int(offset), value: part))
    send(.prepareWriteResponse(handle, offset: offset, part: part))
  }

  /// Writes the queued parts in order, or drops them. Parts of one value that follow each other are written at once.
  mutating func execute(_ commits: Bool) {
    if commits { joinPrepared() } else { prepared = [] }
    writeNextPrepared()
  }

  private mutating func joinPrepared() {
    var joined: [PreparedWrite] = []
    for write in prepared {
      if let last = joined.last, last.handle == write.handle, last.offset + last.value.count == write.offset {
        joined[joined.count - 1].value += write.value
      } else {
        joined.append(write)
      }
    }
    prepared = joined
  }

  private mutating func writeNextPrepared() {
    guard let next = prepared.first else { return send(.executeWriteResponse) }
    prepared.removeFirst()
    request = .execute(next)
    actions.append(
      .ask(
        .writeRequested(central, next.attribute, value: next.value, offset: next.offset, .reliable)))
  }

  /// Goes on with the device's response. An error drops the rest of the queue and names its attribute (3.4.6.3).
  mutating func proceed(executing write: PreparedWrite, _ response: Response) {
    guard let error = response.error else { return writeNextPrepared() }
    prepared = []
    refuse(.executeWriteRequest, write.handle, error)
  }
}
