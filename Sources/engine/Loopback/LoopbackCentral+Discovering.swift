import Bluetooth
import EventLoop

extension LoopbackCentral {
  /// Finds all attributes, as a client does that knows none of them.
  package func discover(then end: @escaping (Result<DiscoveredTable, ATTError>) -> Void = { _ in }) {
    perform(.discover(isWhole: true, endingAt: { $0 == .attributeNotFound }), then: end)
  }
}
