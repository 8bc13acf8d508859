import Bluetooth

/// What makes a device act.
enum RecordedTrigger: Hashable, Sendable {
  case connect
  /// To the characteristic whose value has this handle.
  case subscribe(AttributeHandle)
  case write([UInt8], AttributeHandle)

  /// - Parameter subscribed: the characteristics to which the central has subscribed, by the handles of their values.
  /// - Returns: nil if the exchange causes nothing.
  init?(_ exchange: Exchange, _ table: ObservedTable, _ subscribed: inout Set<AttributeHandle>) {
    guard case .write(let value, _, let outcome) = exchange.kind,
      let characteristic = table.characteristic(of: exchange.handle), let handle = characteristic.valueHandle
    else { return nil }
    guard exchange.handle != handle else {
      self = .write(value, handle)
      return
    }
    guard table.descriptor(at: exchange.handle)?.uuid == 0x2902, characteristic.sendsValues else {
      return nil
    }
    if case .refused = outcome { return nil }
    guard value.contains(where: { $0 != 0 }) else {
      subscribed.remove(handle)
      return nil
    }
    guard subscribed.insert(handle).inserted else { return nil }
    self = .subscribe(handle)
  }

  /// The handle of the characteristic's value.
  var handle: AttributeHandle? {
    switch self {
    case .connect: nil
    case .subscribe(let handle), .write(_, let handle): handle
    }
  }
}

extension ObservedTable.Characteristic {
  /// Whether its properties permit writes, the device did not refuse all of them, and rules see them: blemu itself answers for some.
  var canBeWritten: Bool {
    guard let properties, !isServersOwn else { return false }
    return !properties.isDisjoint(with: [.write, .writeWithoutResponse]) && !permissions.contains(.noWrite)
  }
}

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
          table.characteristic(of: exchange.handle)?.needsNoSubscription != true
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
