/// When the two ends of a link meet (Core Specification, Vol 6 Part B 4.5.1).
package struct ConnectionParameters: Hashable, Sendable {
  /// The time between two connection events, in units of 1.25 ms.
  package var interval: UInt16
  /// How many connection events in a row the peripheral may leave out.
  package var latency: UInt16
  /// After how long without a packet the link has ended, in units of 10 ms.
  package var supervisionTimeout: UInt16

  package init(interval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
    self.interval = interval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }
}

/// The connection parameters that a peripheral prefers (Vol 3 Part C 12.3).
package struct PreferredConnectionParameters: Hashable, Sendable {
  /// In units of 1.25 ms.
  package var interval: ClosedRange<UInt16>
  package var latency: UInt16
  /// In units of 10 ms.
  package var supervisionTimeout: UInt16

  package init(interval: ClosedRange<UInt16>, latency: UInt16, supervisionTimeout: UInt16) {
    self.interval = interval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }

  /// Whether a link has such parameters.
  package func contains(_ parameters: ConnectionParameters) -> Bool {
    interval.contains(parameters.interval) && latency == parameters.latency
      && supervisionTimeout == parameters.supervisionTimeout
  }

  /// The limits of HCI LE Connection Update (Vol 4 Part E 7.8.18): 7.5 ms to 4 s, 499 events, 100 ms to 32 s.
  package static let possibleIntervals: ClosedRange<UInt16> = 0x0006...0x0C80
  package static let possibleLatencies: ClosedRange<UInt16> = 0...0x01F3
  package static let possibleTimeouts: ClosedRange<UInt16> = 0x000A...0x0C80

  /// The least supervision timeout that these parameters allow: just longer than twice the longest time between two packets.
  package var leastTimeout: Int { (1 + Int(latency)) * Int(interval.upperBound) / 4 + 1 }

  /// The value of Peripheral Preferred Connection Parameters (2A04): shortest and longest interval, latency, timeout.
  package var characteristicValue: [UInt8] {
    [interval.lowerBound, interval.upperBound, latency, supervisionTimeout].flatMap(\.littleEndianBytes)
  }
}

extension PreferredConnectionParameters {
  /// Whether a link can have such parameters (Vol 4 Part E 7.8.18).
  package var isPossible: Bool {
    Self.possibleIntervals.contains(interval.lowerBound)
      && Self.possibleIntervals.contains(interval.upperBound)
      && Self.possibleLatencies.contains(latency) && Self.possibleTimeouts.contains(supervisionTimeout)
      && Int(supervisionTimeout) >= leastTimeout
  }
}
