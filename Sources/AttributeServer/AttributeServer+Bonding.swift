import Behavior
import Bluetooth

// What a bonded central has written on one link holds on the next (Vol 3 Part G 3.3.3.3).
extension AttributeServer {
  /// Takes the configurations that a bonded central has written on earlier links, by the names of their values. What it
  /// has written on this link counts over them. What cannot be here is ignored.
  ///
  /// - Returns: what the device should know of it; its rules cannot refuse.
  package mutating func restore(_ kept: [String: UInt16]) -> [Event] {
    database.configurations.flatMap { value, possible -> [Event] in
      guard configurations[value] == nil, let number = database.names[value].flatMap({ kept[$0] }) else {
        return []
      }
      return (try? configure(value, number.littleEndianBytes, possible)) ?? []
    }
  }

  /// Brings kept configurations up to date with those of this link. Those of values that are not here stay.
  package func update(_ kept: inout [String: UInt16]) {
    for (value, configuration) in configurations {
      guard let name = database.names[value] else { continue }
      kept[name] = configuration.rawValue == 0 ? nil : configuration.rawValue
    }
  }
}

// A bonded central may keep what it has discovered, until Service Changed says that it is no longer so (Vol 3 Part G 2.5.2).
extension AttributeServer {
  private static let changedHandles: [UInt8] = [0x01, 0x00, 0xFF, 0xFF]

  /// Indicates Service Changed for all handles, if the central has configured it (Vol 3 Part G 7.1). Until it confirms,
  /// ``knowsAttributes`` is false. A central that has not configured it has to look by itself.
  package mutating func indicateServiceChanged() -> [ServerAction] {
    guard let (handle, configuration) = database.serviceChanged,
      configurations[configuration]?.contains(.indication) == true
    else { return [] }
    knowsAttributes = false
    indicate(PendingIndication(handle: handle, characteristic: nil, value: Self.changedHandles))
    return takeActions()
  }
}

extension AttributeDatabase {
  /// The Client Characteristic Configurations, in the order of their handles.
  fileprivate var configurations: [(SubscribedValue, ClientConfiguration)] {
    attributes.compactMap { attribute in
      guard case .configuration(let value, let possible) = attribute.content else { return nil }
      return (value, possible)
    }
  }
}
