/// What a definition requires of a whole frame, such as a checksum in the middle of it.
///
/// It never changes, and each frame needs it. As a class, it costs nothing to pass on.
package final class FrameCondition: Sendable {
  /// The expression as in the file.
  package let source: String
  /// Whether it is true for a frame.
  private let holds: @Sendable ([UInt8]) throws(ChecksumFailure) -> Bool

  package init(source: String, holds: @escaping @Sendable ([UInt8]) throws(ChecksumFailure) -> Bool) {
    (self.source, self.holds) = (source, holds)
  }

  /// Why a frame does not meet it; nil: it does.
  package func problem(with frame: [UInt8]) -> DiscardReason? {
    do { return try holds(frame) ? nil : .failedCheck(source) } catch {
      return .noChecksum(source, problem: error.description)
    }
  }
}

extension FrameCondition: Hashable {
  /// Ignores the function, which the source determines.
  package static func == (left: FrameCondition, right: FrameCondition) -> Bool {
    left.source == right.source
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
