import Bluetooth

/// An indication that has not been confirmed.
struct PendingIndication: Hashable, Sendable {
  var handle: AttributeHandle
  /// By index in the definition; nil for Service Changed.
  var characteristic: Int?
  var value: [UInt8]
}

/// The indications to a central that have not been confirmed, in their order. Only the first one has been sent.
struct PendingIndications: Sendable {
  private var all: ArraySlice<PendingIndication> = []

  var count: Int { all.count }
  var first: PendingIndication? { all.first }

  mutating func append(_ indication: PendingIndication) { all.append(indication) }

  /// Removes the first one, which the central has confirmed; nil: there is none.
  mutating func confirm() -> PendingIndication? {
    defer { if all.isEmpty { all = [] } }  // an empty slice would keep its memory
    return all.popFirst()
  }

  func contains(_ handle: AttributeHandle) -> Bool { all.contains { $0.handle == handle } }

  /// Gives those that have not been sent other handles; nil: drops it.
  mutating func moveUnsent(_ handle: (PendingIndication) -> AttributeHandle?) {
    all =
      all.prefix(1)
      + all.dropFirst().compactMap { indication in
        handle(indication).map {
          PendingIndication(handle: $0, characteristic: indication.characteristic, value: indication.value)
        }
      }
  }

  mutating func dropUnsent() { all = all.prefix(1) }

  mutating func dropUnsent(of characteristic: Int) {
    all = all.prefix(1) + all.dropFirst().filter { $0.characteristic != characteristic }
  }
}
