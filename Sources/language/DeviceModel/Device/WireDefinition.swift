import Framing

/// The wire side of a device.
package struct WireDefinition: Sendable {
  /// Two characteristics or channels; may be the same one.
  package struct Bridge: Hashable, Sendable {
    /// The place whose bytes from centrals go to the wire side.
    package var inlet: Rule.Endpoint
    /// The place that sends bytes from the wire side to centrals.
    package var outlet: Rule.Endpoint

    package init(inlet: Rule.Endpoint, outlet: Rule.Endpoint) {
      self.inlet = inlet
      self.outlet = outlet
    }
  }

  /// From the slowest speed of terminals to the fastest of UARTs.
  package static let baudRates = 50...4_000_000

  /// In bytes.
  package static let bufferSizes = 1...65536

  /// The speed, bits per second; nil: unlimited.
  package var baud: Expression?
  /// The most bytes that wait for the line; later ones are lost. nil: centrals wait instead.
  package var buffer: Int?
  /// The bridge between the air and the wire side.
  package var bridge: Bridge?
  /// How bytes from the wire side become frames; nil: as they come.
  package var framing: FramingRule?
  /// How its bytes are encoded; nil: they are not encoded.
  package var coding: StreamCoding?

  /// The speed for these settings, bits per second; nil: unlimited.
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

/// A speed that UARTs do not have.
package struct BaudError: Error, Hashable, CustomStringConvertible {
  package var baud: Int64

  package var description: String {
    let range = WireDefinition.baudRates
    return "\(baud) baud is not in \(range.lowerBound)…\(range.upperBound)"
  }
}
