import Behavior
import Bluetooth
import DeviceModel
import EventLoop

// Reading, writing and subscribing.
extension DeviceClient {
  private var mtu: Int { owner?.mtu(of: central) ?? AttributePDU.defaultMTU }

  /// By notification, or by indication if the characteristic cannot notify.
  func subscribe(to index: Int) {
    let request = ClientRequest.subscribe(index)
    guard let found = found[index], let configuration = found.configuration else {
      return fail(request, .attributeNotFound)
    }
    // The bits of Vol 3 Part G 3.3.3.3.
    let bytes: [UInt8] = [found.properties.contains(.notify) ? 0x01 : 0x02, 0x00]
    owner?.clientWrites(bytes, to: sought[index].id + "/2902", message: nil, at: central)
    ask(.writeRequest(configuration, bytes)) { [weak self] in self?.end(request, $0) }
  }

  private func end(_ request: ClientRequest, _ answer: Answer) {
    switch answer {
    case .success: finish(nil)
    case .failure(let error): fail(request, error)
    }
  }

  /// Reads a whole value (Core Specification, Vol 3 Part G 4.8.1, 4.8.3).
  func read(_ index: Int) {
    guard let handle = found[index]?.handle else { return fail(.read(index), .attributeNotFound) }
    ask(.readRequest(handle)) { [weak self] in self?.readOn(index, handle, after: [], $0) }
  }

  private func readOn(_ index: Int, _ handle: AttributeHandle, after first: [UInt8], _ answer: Answer) {
    switch answer {
    case .success(.readResponse(let part)), .success(.readBlobResponse(let part)):
      let value = first + part
      guard part.count >= mtu - 1, value.count < CharacteristicDefinition.maximumValueSize else {
        return finish(.soughtReceived(central, sought: index, value, isRead: true))
      }
      ask(.readBlobRequest(handle, offset: UInt16(value.count))) { [weak self] in
        self?.readOn(index, handle, after: value, $0)
      }
    case .failure where !first.isEmpty: finish(.soughtReceived(central, sought: index, first, isRead: true))
    case .success: fail(.read(index), .unlikelyError)
    case .failure(let error): fail(.read(index), error)
    }
  }

  /// By a Write Request, or by a Write Command if the characteristic takes nothing else. A value that is too long for one PDU
  /// is written in parts (Vol 3 Part G 4.9.4).
  func write(_ value: [UInt8], to index: Int, _ message: Int?) {
    let request = ClientRequest.write(index, value, message: message)
    guard let found = found[index] else { return fail(request, .attributeNotFound) }
    let needsCommand = !found.properties.contains(.write) && found.properties.contains(.writeWithoutResponse)
    guard value.count <= (needsCommand ? mtu - 3 : CharacteristicDefinition.maximumValueSize) else {
      return fail(request, .invalidAttributeValueLength)
    }
    owner?.clientWrites(value, to: sought[index].id, message: message, at: central)
    if needsCommand {
      _ = owner?.send(.writeCommand(found.handle, value), to: central)
      finish(nil)
    } else if value.count <= mtu - 3 {
      ask(.writeRequest(found.handle, value)) { [weak self] in self?.end(request, $0) }
    } else {
      prepare(value[...], for: found.handle, request)
    }
  }

  /// Queues the parts of a value from the start of the slice on, and has them executed.
  private func prepare(_ rest: ArraySlice<UInt8>, for handle: AttributeHandle, _ request: ClientRequest) {
    let part = Array(rest.prefix(mtu - 5))
    ask(.prepareWriteRequest(handle, offset: UInt16(rest.startIndex), part: part)) { [weak self] answer in
      guard let self else { return }
      let rest = rest.dropFirst(part.count)
      switch answer {
      case .success where !rest.isEmpty: prepare(rest, for: handle, request)
      case .success: ask(.executeWriteRequest(commits: true)) { [weak self] in self?.end(request, $0) }
      case .failure: ask(.executeWriteRequest(commits: false)) { [weak self] _ in self?.end(request, answer) }
      }
    }
  }
}
