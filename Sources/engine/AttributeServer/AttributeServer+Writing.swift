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
        if try asksDevice(subscribed, value, possible, at: handle, .request) { return }
        let events = try configure(subscribed, value, possible)
        send(.writeResponse)  // before the values that the subscription causes
        for event in events { actions.append(.tell(event)) }
      } catch {
        refuse(.writeRequest, handle, error)
      }
    case .clientFeatures:
      do throws(ATTError) {
        try support(value)
        send(.writeResponse)
      } catch {
        refuse(.writeRequest, handle, error)
      }
    }
  }

  /// Takes a Write Command, which has no response: one that is not permitted is ignored. It configures like a Write Request, as
  /// in BlueZ.
  ///
  /// - Returns: the event, if the value is the device's.
  mutating func take(_ packet: [UInt8]) -> Event? {
    guard packet.count >= 3, packet.count <= mtu, !isOutOfSync else { return nil }
    let (handle, value) = (UInt16(packet[1], packet[2]), packet[3...])
    guard let index = database.index(of: handle),
      error(database.attributes[index].write, denied: .writeNotPermitted) == nil
    else { return nil }
    switch database.attributes[index].content {
    case .constant: break
    case .value(let reference):
      return .writeRequested(central, reference, value: Array(value), offset: 0, .command)
    case .configuration(let subscribed, let possible):
      let value = Array(value)
      if (try? asksDevice(subscribed, value, possible, at: handle, .command)) == true { break }
      for event in (try? configure(subscribed, value, possible)) ?? [] { actions.append(.tell(event)) }
    case .clientFeatures: try? support(Array(value))
    }
    return nil
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
    let target: PreparedWrite.Target
    switch attribute.content {
    case .constant: return refuse(opcode, handle, .writeNotPermitted)
    case .value(let reference): target = .value(reference)
    case .configuration(let subscribed, let possible): target = .configuration(subscribed, possible)
    case .clientFeatures: target = .clientFeatures
    }
    guard prepared.count < limits.preparedWrites else { return refuse(opcode, handle, .prepareQueueFull) }
    prepared.append(PreparedWrite(handle: handle, target: target, offset: Int(offset), value: part))
    send(.prepareWriteResponse(handle, offset: offset, part: part))
  }

  /// Writes the queued parts in order, or drops them. Parts of one value that follow each other are written at once.
  mutating func execute(_ commits: Bool) {
    if commits { joinPrepared() } else { prepared = [] }
    if prepared.count > 1 { checkPrepared(from: 0) } else { writeNextPrepared() }
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

  /// Drops the rest of the queue. The error names its attribute (3.4.6.3).
  mutating func dropPrepared(at handle: AttributeHandle, _ error: ATTError) {
    prepared = []
    refuse(.executeWriteRequest, handle, error)
    tellExecuted()
  }

  private mutating func tellExecuted() {
    for event in executed { actions.append(.tell(event)) }
    executed = []
  }
}

// MARK: Checking prepared writes

extension AttributeServer {
  /// None is written if the offset or the length of one is invalid (3.4.6.3).
  private mutating func checkPrepared(from start: Int) {
    for index in start..<prepared.count {
      let write = prepared[index]
      switch write.target {
      case .value(let reference):
        request = .check(index)
        let earlier = prepared[..<index].filter { $0.handle == write.handle }
        let size = earlier.map { $0.offset + $0.value.count }.max() ?? 0
        return actions.append(
          .ask(
            .writeChecked(central, reference, value: write.value, offset: write.offset, size: size)))
      case .configuration(let subscribed, let possible):
        do throws(ATTError) {
          _ = try Self.configuration(whole(write, of: subscribed), possible)
        } catch {
          return dropPrepared(at: write.handle, error)
        }
      case .clientFeatures:
        do throws(ATTError) {
          _ = try supported(by: whole(write, features.value))
        } catch {
          return dropPrepared(at: write.handle, error)
        }
      }
    }
    writeNextPrepared()
  }

  mutating func proceed(checking index: Int, _ response: Response) {
    if let error = response.error { return dropPrepared(at: prepared[index].handle, error) }
    checkPrepared(from: index + 1)
  }

  /// The value of a CCCD that a part of it makes.
  private func whole(_ write: PreparedWrite, of subscribed: SubscribedValue) throws(ATTError) -> [UInt8] {
    try whole(write, (configurations[subscribed] ?? []).rawValue.littleEndianBytes)
  }

  private func whole(_ write: PreparedWrite, _ present: [UInt8]) throws(ATTError) -> [UInt8] {
    guard write.offset <= present.count else { throw .invalidOffset }
    let written = present[..<write.offset] + write.value
    return Array(written + present.dropFirst(written.count))
  }
}

// MARK: Executing prepared writes

extension AttributeServer {
  mutating func writeNextPrepared() {
    guard let next = prepared.first else {
      send(.executeWriteResponse)
      return tellExecuted()
    }
    prepared.removeFirst()
    switch next.target {
    case .value(let reference):
      request = .execute(next)
      actions.append(
        .ask(.writeRequested(central, reference, value: next.value, offset: next.offset, .reliable)))
    case .configuration(let subscribed, let possible):
      do throws(ATTError) {
        let value = try whole(next, of: subscribed)
        if try asksDevice(subscribed, value, possible, at: next.handle, .reliable) { return }
        executed += try configure(subscribed, value, possible)
        writeNextPrepared()
      } catch {
        dropPrepared(at: next.handle, error)
      }
    case .clientFeatures:
      do throws(ATTError) {
        try support(try whole(next, features.value))
        writeNextPrepared()
      } catch {
        dropPrepared(at: next.handle, error)
      }
    }
  }

  /// Goes on with the device's response.
  mutating func proceed(executing write: PreparedWrite, _ response: Response) {
    if let error = response.error { dropPrepared(at: write.handle, error) } else { writeNextPrepared() }
  }
}
