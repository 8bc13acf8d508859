import Bluetooth
import EventLoop

extension LoopbackCentral {
  /// Finds all attributes, as a client does that knows none of them (Core Specification, Vol 3 Part G 4.4 to 4.7).
  func discover() {
    find { .readByGroupTypeRequest($0, type: 0x2800) }
    find { .readByGroupTypeRequest($0, type: 0x2801) }
    find { .readByTypeRequest($0, type: 0x2802) }
    find { .readByTypeRequest($0, type: 0x2803) }
    find { .findInformationRequest($0) }
  }

  /// Asks on after each response until there is nothing more to find.
  private func find(in handles: HandleRange = .all, _ question: @escaping (HandleRange) -> AttributePDU) {
    request(question(handles)) { [weak self] response in
      guard let last = response.lastHandle, last < handles.last else { return }
      self?.find(in: HandleRange(last + 1, handles.last), question)
    }
  }
}

extension AttributePDU {
  /// The last handle that a response of discovery has; nil: it has found nothing.
  fileprivate var lastHandle: AttributeHandle? {
    switch self {
    case .readByGroupTypeResponse(let groups): groups.last?.handles.last
    case .readByTypeResponse(let values): values.last?.handle
    case .findInformationResponse(let rows): rows.last?.handle
    default: nil
    }
  }
}
