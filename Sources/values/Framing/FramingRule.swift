/// Defines where the frames of a byte stream begin and end.
package struct FramingRule: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// Each write is a frame.
    case raw
    case delimited(Delimiter)
    case packet(PacketFormat)
    /// Packets of any of these formats.
    case alternatives([PacketFormat])
    /// A frame ends after a silence of this length.
    case idle(Duration)
  }

  package let shape: Shape

  /// The silence after which an unfinished frame is discarded.
  package let gap: Duration?

  /// The longest frame, with its delimiters. The framer never stores more.
  package let maxLength: Int

  package static let defaultMaxLength = 512

  package init(_ shape: Shape, gap: Duration? = nil, maxLength: Int = defaultMaxLength) {
    self.shape = shape
    self.gap = gap
    self.maxLength = max(shape.minimumLength, maxLength)
  }

  package static let raw = FramingRule(.raw)

  /// The silence that ends a frame or discards an unfinished one; nil: none does.
  package var silence: Duration? {
    if case .idle(let duration) = shape { duration } else { gap }
  }

  /// The length of every frame, bytes; nil: it varies.
  package var size: Int? {
    guard case .packet(let format) = shape, case .fixed(let length) = format.extent else { return nil }
    return length
  }
}

extension FramingRule.Shape {
  /// The length of the shortest possible frame, bytes.
  package var minimumLength: Int {
    switch self {
    case .raw, .idle: 1
    case .delimited(let delimiter): delimiter.bytes.count
    case .packet(let format): format.shortest
    case .alternatives(let formats): formats.map(\.shortest).max() ?? 1  // there is room for each
    }
  }
}

extension PacketFormat {
  /// The length of the shortest possible frame, bytes.
  fileprivate var shortest: Int {
    if case .fixed(let length) = extent { length } else { minimumLength }
  }
}

/// Bytes that end a frame, such as `\r\n`.
package struct Delimiter: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Whether the frame keeps the delimiter at its end.
  package let isKept: Bool

  package init(_ bytes: [UInt8], isKept: Bool = false) {
    precondition(!bytes.isEmpty, "a delimiter has at least one byte")
    self.bytes = bytes
    self.isKept = isKept
  }
}
