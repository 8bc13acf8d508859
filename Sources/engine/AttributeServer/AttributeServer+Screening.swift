import Bluetooth
import DeviceModel

// Requests that the server answers by itself, so that the device does not learn of them: faults strike these, too.
extension AttributeServer {
  /// What a request is about that the server answers without the device; nil: the device is asked, or it is no request.
  func ownPlace(of pdu: AttributePDU) -> RequestPlace? {
    switch pdu {
    case .exchangeMTURequest: .mtu
    case .findInformationRequest: .discovery(.descriptors)
    case .readByGroupTypeRequest: .discovery(.services)
    case .readByTypeRequest(let range, let type): ownPlace(of: type, in: range)
    case .findByTypeValueRequest(let range, let type, _): ownPlace(of: BluetoothUUID(UInt32(type)), in: range)
    case .readRequest(let handle), .readBlobRequest(let handle, _): ownPlace(reading: handle)
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      ownPlace(reading: handles)
    case .writeRequest(let handle, let value): ownPlace(writing: value, to: handle)
    case .prepareWriteRequest(let handle, _, _): ownPlace(preparing: handle)
    case .executeWriteRequest(let commits): commits ? ownPlaceOfPrepared : .other
    default: nil
    }
  }

  private func ownPlace(of type: BluetoothUUID, in range: HandleRange) -> RequestPlace? {
    switch type {
    case 0x2800, 0x2801: return .discovery(.services)
    case 0x2802: return .discovery(.includes)
    case 0x2803: return .discovery(.characteristics)
    default: break
    }
    guard range.first > 0, range.first <= range.last,
      let first = database.attributes(in: range).first(where: { $0.type == type })
    else { return .other }
    return ownPlace(reading: first.handle)
  }

  private func ownPlace(reading handle: AttributeHandle) -> RequestPlace? {
    guard let index = database.index(of: handle) else { return .other }
    if case .value = database.attributes[index].content,
      error(reading: database.attributes[index].read) == nil
    {
      return nil
    }
    return place(ofAttribute: index)
  }

  private func ownPlace(reading handles: [AttributeHandle]) -> RequestPlace? {
    let places = handles.map { ownPlace(reading: $0) }
    return places.contains(nil) ? nil : places.first ?? .other
  }

  private func ownPlace(writing value: [UInt8], to handle: AttributeHandle) -> RequestPlace? {
    guard let target = try? target(at: handle) else { return place(writing: handle) }
    return asksDevice(target, value) ? nil : place(writing: handle)
  }

  private func ownPlace(preparing handle: AttributeHandle) -> RequestPlace? {
    if let target = try? target(at: handle), preparedUse(of: target) == .each { return nil }
    return .prepared(place(writing: handle))
  }

  /// That of an Execute Write Request.
  private var ownPlaceOfPrepared: RequestPlace? {
    guard prepared.count > 0 else { return .other }
    for index in 0..<prepared.count where asksDevice(prepared[index].target, prepared[index].value) {
      return nil
    }
    return place(writing: prepared[0].handle)
  }

  /// Whether the device learns of a write.
  private func asksDevice(_ target: WriteTarget, _ value: [UInt8]) -> Bool {
    switch target {
    case .value: true
    case .configuration(.characteristic(let index), let possible):
      database.guarded.contains(index) && (try? Self.configuration(value, possible)) != nil
    case .configuration, .clientFeatures: false
    }
  }

  private func place(writing handle: AttributeHandle) -> RequestPlace {
    guard let index = database.index(of: handle) else { return .other }
    if case .configuration(.characteristic(let index), _) = database.attributes[index].content {
      return .subscription(of: index)
    }
    return place(ofAttribute: index)
  }

  private func place(ofAttribute index: Int) -> RequestPlace {
    switch database.attributes[index].content {
    case .value(.characteristic(let index)): .value(index)
    case .value(.descriptor(_, of: let owner)): .descriptor(database.attributes[index].type, of: owner)
    case .configuration(.characteristic(let index), _): .descriptor(0x2902, of: index)
    case .configuration, .constant, .clientFeatures: .other
    }
  }
}

extension AttributePDU {
  /// The value that a request writes.
  var written: [UInt8] {
    switch self {
    case .writeRequest(_, let value), .prepareWriteRequest(_, _, let value): value
    default: []
    }
  }

  /// The handle that an error names which concerns the request as a whole: the first that it has.
  var firstHandle: AttributeHandle {
    switch self {
    case .findInformationRequest(let range), .findByTypeValueRequest(let range, _, _),
      .readByTypeRequest(let range, _), .readByGroupTypeRequest(let range, _):
      range.first
    case .readRequest(let handle), .readBlobRequest(let handle, _), .writeRequest(let handle, _),
      .prepareWriteRequest(let handle, _, _):
      handle
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles): handles.first ?? 0
    default: 0
    }
  }
}
