import Bluetooth
import Framing
import Learning

extension [Conversation] {
  /// The conversations with the values of some characteristics joined to frames, as a central joins them: how a device cuts a
  /// frame into values depends on the link.
  func joined(by rules: [AttributeHandle: FramingRule]) -> Self {
    rules.isEmpty ? self : map { $0.joined(by: rules) }
  }
}

extension Conversation {
  fileprivate func joined(by rules: [AttributeHandle: FramingRule]) -> Self {
    var framers = rules.mapValues { Framer($0) }
    var joined = self
    joined.exchanges = []
    for exchange in exchanges {
      guard let value = exchange.value, framers[exchange.handle] != nil,
        case .value(_, let delivery) = exchange.kind
      else {
        joined.exchanges.append(exchange)
        continue
      }
      for output in framers[exchange.handle]?.append(value, at: exchange.time) ?? [] {
        switch output {
        case .frame(let bytes), .discarded(let bytes, _):
          joined.exchanges.append(
            Exchange(.value(bytes, delivery), handle: exchange.handle, at: exchange.time))
        }
      }
    }
    return joined
  }
}
