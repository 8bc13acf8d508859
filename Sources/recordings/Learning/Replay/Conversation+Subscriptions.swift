import Bluetooth

/// A central that had subscribed to a characteristic before the recording began.
package struct EarlierSubscription: Hashable, Sendable {
  /// Of the value.
  package var handle: AttributeHandle
  package var delivery: Delivery
}

extension Conversation {
  /// The characteristics that sent values without a recorded subscription before, in the order of their first value.
  package func earlierSubscriptions(in table: ObservedTable) -> [EarlierSubscription] {
    var seen: Set<AttributeHandle> = []
    var earlier: [EarlierSubscription] = []
    for exchange in exchanges {
      switch exchange.kind {
      case .value(_, let delivery):
        guard seen.insert(exchange.handle).inserted,
          table.characteristic(of: exchange.handle)?.sendsToEveryone != true
        else { continue }
        earlier.append(EarlierSubscription(handle: exchange.handle, delivery: delivery))
      case .write where table.descriptor(at: exchange.handle)?.uuid == 0x2902:
        if let value = table.characteristic(of: exchange.handle)?.valueHandle { seen.insert(value) }
      default: break
      }
    }
    return earlier
  }
}
