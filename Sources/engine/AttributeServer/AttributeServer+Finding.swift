import Behavior
import Bluetooth

// Find Information, and the requests for attributes of a type (Vol 3 Part F 3.4.3, 3.4.4.1 and 3.4.4.9).
extension AttributeServer {
  /// Whether a range is valid; if not, the request is refused.
  private mutating func accepts(_ range: HandleRange, _ opcode: AttributeOpcode) -> Bool {
    if range.first > 0, range.first <= range.last { return true }
    refuse(opcode, range.first, .invalidHandle)
    return false
  }

  /// One response carries types of one width.
  mutating func findInformation(in range: HandleRange) {
    guard accepts(range, .findInformationRequest) else { return }
    let attributes = database.attributes(in: range)
    guard let first = attributes.first else {
      return refuse(.findInformationRequest, range.first, .attributeNotFound)
    }
    let size = 2 + first.type.attributeTypeBytes.count
    let rows = attributes.prefix { 2 + $0.type.attributeTypeBytes.count == size }.prefix((mtu - 2) / size)
    send(.findInformationResponse(rows.map { AttributeInformation($0.handle, $0.type) }))
  }

  /// A value that the central may not read is not found.
  mutating func find(_ type: UInt16, _ value: [UInt8], in range: HandleRange) {
    let opcode = AttributeOpcode.findByTypeValueRequest
    guard accepts(range, opcode) else { return }
    let type = BluetoothUUID(UInt32(type))
    let candidates = database.attributes(in: range).filter {
      $0.type == type && error(reading: $0.read) == nil
    }
    `continue`(Search(opcode: opcode, start: range.first, candidates: candidates[...], wanted: value))
  }

  mutating func readByType(_ type: BluetoothUUID, in range: HandleRange) {
    guard accepts(range, .readByTypeRequest) else { return }
    search(.readByTypeRequest, in: range) { $0.type == type }
  }

  /// Only services are groups here (Vol 3 Part G 2.5.3).
  mutating func readByGroupType(_ type: BluetoothUUID, in range: HandleRange) {
    guard accepts(range, .readByGroupTypeRequest) else { return }
    guard type == 0x2800 || type == 0x2801 else {
      return refuse(.readByGroupTypeRequest, range.first, .unsupportedGroupType)
    }
    search(.readByGroupTypeRequest, in: range) { $0.type == type }
  }

  private mutating func search(
    _ opcode: AttributeOpcode, in range: HandleRange, _ isCandidate: (AttributeDatabase.Attribute) -> Bool
  ) {
    let candidates = database.attributes(in: range).filter(isCandidate)
    `continue`(Search(opcode: opcode, start: range.first, candidates: candidates[...]))
  }
}

// MARK: Values

extension AttributeServer {
  /// Reads the values of the candidates in order, until the response is complete. The device may have to be asked.
  private mutating func `continue`(_ search: Search) {
    var search = search
    while let candidate = search.candidates.first {
      if let error = error(reading: candidate.read) { return end(search, error, at: candidate.handle) }
      guard let value = ownValue(of: candidate.content) else {
        return ask(candidate.content, then: .search(search))
      }
      guard add(value, to: &search) else { break }
    }
    end(search, .attributeNotFound, at: search.start)
  }

  /// Goes on with the device's response for the first candidate.
  mutating func proceed(_ search: Search, _ response: Response) {
    var search = search
    switch response {
    case .value(let value):
      if add(value, to: &search) {
        `continue`(search)
      } else {
        end(search, .attributeNotFound, at: search.start)
      }
    case .refused where search.opcode == .findByTypeValueRequest:
      search.candidates.removeFirst()
      `continue`(search)
    case .refused(let error, let handle):
      end(search, error, at: handle ?? search.candidates.first?.handle ?? search.start)
    case .accepted: end(search, .unlikelyError, at: 0x0000)
    }
  }

  /// Takes the value of the first candidate; returns whether the response may have room for another one.
  private func add(_ value: [UInt8], to search: inout Search) -> Bool {
    guard let candidate = search.candidates.popFirst() else { return false }
    let handles = HandleRange(candidate.handle, candidate.groupEnd)
    if search.opcode == .findByTypeValueRequest {
      if value == search.wanted { search.found.append(Search.Found(handles: handles, value: [])) }
      return 4 * (search.found.count + 1) <= mtu - 1
    }
    let header = search.opcode == .readByTypeRequest ? 2 : 4
    let part = Array(value.prefix(min(mtu - 2, Int(UInt8.max)) - header))
    // Values are of equal length or not as they are, and not as they are cut (3.4.4.2).
    guard search.found.isEmpty || search.size == value.count else { return false }
    search.size = value.count
    search.found.append(Search.Found(handles: handles, value: part))
    return (header + part.count) * (search.found.count + 1) <= mtu - 2
  }

  /// Sends the found attributes, or the error if there are none.
  private mutating func end(_ search: Search, _ error: ATTError, at handle: AttributeHandle) {
    guard !search.found.isEmpty else { return refuse(search.opcode, handle, error) }
    switch search.opcode {
    case .findByTypeValueRequest: send(.findByTypeValueResponse(search.found.map(\.handles)))
    case .readByGroupTypeRequest:
      send(.readByGroupTypeResponse(search.found.map { AttributeGroup($0.handles, $0.value) }))
    default:
      send(.readByTypeResponse(search.found.map { AttributeValue($0.handles.first, $0.value) }))
    }
  }
}
