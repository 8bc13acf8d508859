import Framing

extension DefinedChecksum {
  /// The most bytes that its expression may work on for one frame. See ``Effort``.
  fileprivate static let mostEffort = 1 << 20

  /// - Parameter expression: a number, from ``KnownValue/bytes`` alone.
  package init(
    _ expression: Expression, source: String, width: Int, byteOrder: ByteOrder, weight: Int
  ) {
    self.init(source: source, width: width, byteOrder: byteOrder, weight: weight) {
      bytes throws(ChecksumFailure) in
      var context = EvaluationContext(effort: Effort(Self.mostEffort))
      context.event.bytes = bytes
      let value: Value
      do throws(EvaluationError) { value = try expression.evaluate(in: context) } catch {
        throw ChecksumFailure(error.description)
      }
      guard case .integer(let number) = value else {
        preconditionFailure("a number was checked to stand here")
      }
      return number
    }
  }
}

extension FrameCondition {
  /// - Parameter expression: true or false, from ``KnownValue/frame`` alone.
  package convenience init(_ expression: Expression, source: String) {
    self.init(source: source) { frame throws(ChecksumFailure) in
      var context = EvaluationContext(effort: Effort(DefinedChecksum.mostEffort))
      context.event.bytes = frame
      do throws(EvaluationError) { return try expression.isTrue(in: context) } catch {
        throw ChecksumFailure(error.description)
      }
    }
  }
}
