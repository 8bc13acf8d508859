/// Says where the frames of a byte stream begin and end.
package struct FramingRule: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// Each write is a frame as it is.
    case raw
    case delimited(Delimiter)
    case packet(PacketFormat)
    /// A frame ends when nothing has arrived for so long.
    case idle(Duration)
  }

  package var shape: Shape

  /// How long an unfinished frame may stay without a further byte before it is discarded.
  package var gap: Duration?

  /// The longest frame, counted with everything that delimits it. Nothing longer is ever stored.
  package var maxLength: Int

  package static let defaultMaxLength = 512

  package init(_ shape: Shape, gap: Duration? = nil, maxLength: Int = defaultMaxLength) {
    self.shape = shape
    self.gap = gap
    self.maxLength = max(1, maxLength)
  }

  package static let raw = FramingRule(.raw)

  /// The silence that means something in this stream: the end of a frame or its loss.
  package var silence: Duration? {
    if case .idle(let duration) = shape { duration } else { gap }
  }
}

/// Bytes that end a frame, such as `\r\n`.
package struct Delimiter: Hashable, Sendable {
  package var bytes: [UInt8]

  /// Whether the frame is delivered with the delimiter at its end.
  package var isKept: Bool

  package init(_ bytes: [UInt8], isKept: Bool = false) {
    precondition(!bytes.isEmpty, "a delimiter has at least one byte")
    self.bytes = bytes
    self.isKept = isKept
  }
}
