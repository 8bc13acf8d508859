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

  private func find(_ question: @escaping (HandleRange) -> AttributePDU) {
    perform(.find(question)) { _ in }
  }
}
