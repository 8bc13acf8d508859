import Framing

/// The serial side of a device: what stands between its UART and the air.
package struct WireDefinition: Sendable {
  /// Two characteristics, by index, or twice the same.
  package struct Bridge: Hashable, Sendable {
    /// Whose written bytes come out of the wire.
    package var inlet: Int
    /// Which notifies, or indicates, what is put in at the wire.
    package var outlet: Int

    package init(inlet: Int, outlet: Int) {
      self.inlet = inlet
      self.outlet = outlet
    }
  }

  /// From the slowest that terminals know to the fastest of UARTs.
  package static let baudRates = 50...4_000_000

  /// The speed of its UART, bits a second; nil: as fast as it goes.
  package var baud: Expression?
  /// What carries bytes between the air and the wire.
  package var bridge: Bridge?
  /// How bytes put in become frames; nil: as they come.
  package var framing: FramingRule?

  /// The speed of its UART with these settings, bits a second; nil: as fast as it goes.
  ///
  /// - Throws: ``EvaluationError`` or ``BaudError``.
  package func baud(in context: EvaluationContext) throws -> Int? {
    guard let number = try baud?.integer(in: context) else { return nil }
    guard let baud = Int(exactly: number), Self.baudRates.contains(baud) else {
      throw BaudError(baud: number)
    }
    return baud
  }
}

/// A speed that no UART has.
package struct BaudError: Error, Hashable, CustomStringConvertible {
  package var baud: Int64

  package var description: String {
    let range = WireDefinition.baudRates
    return "\(baud) baud is not in \(range.lowerBound)…\(range.upperBound)"
  }
}
