import Behavior
import Bluetooth
import DeviceModel

/// What a central may write.
enum WriteTarget: Hashable, Sendable {
  case value(AttributeReference)
  case configuration(SubscribedValue, ClientConfiguration)
  case clientFeatures
}

// Writes (Vol 3 Part F 3.4.5 and 3.4.6).
extension AttributeServer {
  mutating func write(_ value: [UInt8], to handle: AttributeHandle) {
    do throws(ATTError) {
      write(value, to: try target(at: handle), at: handle, .request)
    } catch {
      refuse(.writeRequest, handle, error)
    }
  }

  /// Takes a Write Command, which has no response: one that is not permitted is ignored. It configures like a Write Request, as
  /// in BlueZ, Zephyr and NimBLE, unless the device takes only requests, with which clients are to write descriptors (Vol 3 Part G
  /// 4.12.3).
  mutating func take(_ value: [UInt8], for handle: AttributeHandle) {
    guard !client.isOutOfSync, let target = try? target(at: handle) else { return }
    switch target {
    case .value(let reference):
      add(.tell(.writeRequested(central, reference, value: value, offset: 0, .command)))
    case .configuration(.characteristic(let index), _) where database.requestsOnly.contains(index): break
    default: write(value, to: target, at: handle, .command)
    }
  }

  func target(at handle: AttributeHandle) throws(ATTError) -> WriteTarget {
    guard let index = database.index(of: handle) else { throw .invalidHandle }
    if let error = error(database.attributes[index].write, denied: .writeNotPermitted) { throw error }
    switch database.attributes[index].content {
    case .constant: throw .writeNotPermitted
    case .value(let reference): return .value(reference)
    case .configuration(let subscribed, let possible): return .configuration(subscribed, possible)
    case .clientFeatures: return .clientFeatures
    }
  }

  private mutating func write(
    _ value: [UInt8], to target: WriteTarget, offset: Int = 0, at handle: AttributeHandle, _ kind: WriteKind
  ) {
    do throws(ATTError) {
      switch target {
      case .value(let reference):
        ask(
          .writeRequested(central, reference, value: value, offset: offset, kind), then: .write(kind, handle))
      case .configuration(let subscribed, let possible):
        let new = try Self.configuration(value, possible)
        if !asksDevice(subscribed, new, at: handle, kind) { succeed(kind, configure(subscribed, new)) }
      case .clientFeatures:
        try client.support(value)
        succeed(kind)
      }
    } catch {
      fail(kind, at: handle, error)
    }
  }

  /// - Parameter events: for the device, after the response: before the values that the subscription causes.
  mutating func succeed(_ kind: WriteKind, _ events: [Event] = []) {
    switch kind {
    case .request: send(.writeResponse)
    case .command, .prepared: break
    case .reliable:
      prepared.add(events)
      return writeNextPrepared()
    }
    tell(events)
  }

  mutating func fail(_ kind: WriteKind, at handle: AttributeHandle, _ error: ATTError) {
    switch kind {
    case .request: refuse(.writeRequest, handle, error)
    case .command, .prepared: break
    case .reliable: dropPrepared(at: handle, error)
    }
  }
}

// MARK: Prepared writes

extension AttributeServer {
  /// Queues a part of a value. It is checked when it is written, except for permission.
  mutating func prepare(_ part: [UInt8], for handle: AttributeHandle, _ offset: UInt16) {
    do throws(ATTError) {
      let target = try target(at: handle)
      let write = PreparedWrite(handle: handle, target: target, offset: Int(offset), value: part)
      switch preparedUse(of: target) {
      case .joined: append(write)
      case .each:
        guard case .value(let reference) = target else { return }
        ask(
          .writeRequested(central, reference, value: part, offset: Int(offset), .prepared),
          then: .prepare(write))
      // As stacks that are built without these requests do (Vol 3 Part F 3.4.1.1).
      case .never: refuse(.prepareWriteRequest, 0x0000, .requestNotSupported)
      }
    } catch {
      refuse(.prepareWriteRequest, handle, error)
    }
  }

  mutating func append(_ write: PreparedWrite) {
    do throws(ATTError) {
      try prepared.append(write)
      send(.prepareWriteResponse(write.handle, offset: UInt16(write.offset), part: write.value))
    } catch {
      refuse(.prepareWriteRequest, write.handle, error)
    }
  }

  func preparedUse(of target: WriteTarget) -> PreparedUse {
    guard case .value(.characteristic(let index)) = target else { return .joined }
    return database.preparedUses[index] ?? .joined
  }

  /// Writes the queued parts in order, or drops them. Parts of one value that follow each other are written at once.
  mutating func execute(_ commits: Bool) {
    if commits { prepared.join() } else { prepared.drop() }
    if prepared.count > 1 { checkPrepared(from: 0) } else { writeNextPrepared() }
  }

  /// Drops the rest of the queue. The error names its attribute (3.4.6.3).
  private mutating func dropPrepared(at handle: AttributeHandle, _ error: ATTError) {
    prepared.drop()
    refuse(.executeWriteRequest, handle, error)
    tell(prepared.takeEvents())
  }

  /// None is written if the offset or the length of one is invalid (3.4.6.3).
  private mutating func checkPrepared(from start: Int) {
    for index in start..<prepared.count {
      let write = prepared[index]
      do throws(ATTError) {
        switch write.target {
        case .value(let reference):
          let size = prepared.size(before: index)
          return ask(
            .writeChecked(central, reference, value: write.value, offset: write.offset, size: size),
            then: .check(index))
        case .configuration(_, let possible): _ = try Self.configuration(whole(write), possible)
        case .clientFeatures: _ = try client.supported(by: whole(write))
        }
      } catch {
        return dropPrepared(at: write.handle, error)
      }
    }
    writeNextPrepared()
  }

  mutating func proceed(checking index: Int, _ response: Response) {
    if let error = response.error {
      return dropPrepared(at: response.handle ?? prepared[index].handle, error)
    }
    checkPrepared(from: index + 1)
  }

  private mutating func writeNextPrepared() {
    guard let next = prepared.removeFirst() else {
      send(.executeWriteResponse)
      return tell(prepared.takeEvents())
    }
    do throws(ATTError) {
      write(try whole(next), to: next.target, offset: next.offset, at: next.handle, .reliable)
    } catch {
      dropPrepared(at: next.handle, error)
    }
  }

  /// The server's own value with the part written into it. For a value of the device it is the part: the device joins them.
  private func whole(_ write: PreparedWrite) throws(ATTError) -> [UInt8] {
    let present: [UInt8]
    switch write.target {
    case .value: return write.value
    case .configuration(let subscribed, _): present = client.configuration(of: subscribed).bytes
    case .clientFeatures: present = client.features.value
    }
    guard write.offset <= present.count else { throw .invalidOffset }
    let written = present[..<write.offset] + write.value
    return Array(written + present.dropFirst(written.count))
  }
}
