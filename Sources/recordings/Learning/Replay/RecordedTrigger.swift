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
