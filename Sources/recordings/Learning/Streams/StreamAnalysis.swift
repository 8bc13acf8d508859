import Framing

/// What one stream shows by itself: where its frames end, how they are encoded, and which kinds of messages they are.
package struct StreamAnalysis: Hashable, Sendable {
  package struct Frame: Hashable, Sendable {
    /// Decoded.
    package var bytes: [UInt8]
    /// Of the value that ended it.
    package var time: Instant
    package var conversation: Int
    /// The indices of the stream's values that it came in.
    package var values: Range<Int>

    package init(_ bytes: [UInt8], at time: Instant, conversation: Int, values: Range<Int>) {
      (self.bytes, self.time, self.conversation, self.values) = (bytes, time, conversation, values)
    }
  }

  package var stream: ValueStream
  /// nil: each value is a frame.
  package var framing: FramingRule?
  package var encoding: StreamEncoding?
  /// That the frames have.
  var check: CheckField?
  package var frames: [Frame] = []
  /// The indices of values with bytes that are in no frame.
  package var unframed: [Int] = []
  package var messages: [LearntMessage] = []
  var claims: [Layout.Claim] = []

  /// How many bytes each value has that is not the last one of its frame, where any link would carry more; nil: frames come
  /// in one value, or as the link cuts them.
  var pieceSize: Int? {
    guard framing != nil else { return nil }
    let pieces = frames.map { frame in frame.values.map { stream.values[$0].bytes.count } }
      .filter { $0.count > 1 }
    let first = pieces.compactMap(\.first)
    guard let size = first.mostCommon({ $0 })?.key, size < Bursts.fullSize,
      pieces.count(where: { $0.dropLast().allSatisfy { $0 == size } && ($0.last ?? 0) <= size }) * 10
        >= pieces.count * 9
    else { return nil }
    return size
  }

  /// The usual time between two pieces of a frame.
  var pieceGap: Duration {
    frames.flatMap { frame in
      zip(frame.values, frame.values.dropFirst()).map {
        stream.values[$0].time.duration(to: stream.values[$1].time)
      }
    }.median ?? .zero
  }

  /// - Parameter stream: whose values are not looked at.
  init(unexamined stream: ValueStream) { self.stream = stream }

  /// What the recording shows, with the names that the messages have now.
  package var evidence: [Evidence] {
    claims.map { claim in
      let subject = claim.field.map { "\($0.name) of \(messages[$0.message].name) " } ?? ""
      return Evidence(subject + claim.text, at: stream.place, agreeing: claim.agreeing, of: claim.cases)
    }
  }
}

/// Frames of one kind: the same opcode and layout.
package struct LearntMessage: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case constant([UInt8])
    case field(LearntField)
    /// The size of the frame, or of what the framing's length field counts: with what is added to the size of the frame.
    case size(width: Int, ByteOrder, adjust: Int)
    /// Over the bytes from `from` up to itself.
    case checksum(Checksum, from: Int)
  }

  /// Plain and easy to replace: `request-97`, `value-01`; a model tells `answer-97` and `report-02` apart.
  package var name: String
  /// In order; together they are the whole message.
  package var parts: [Part]
  /// The indices of its frames.
  package var frames: [Int]
  /// Whether all of it is text, with fields of text.
  package var isText = false

  package init(_ name: String, _ parts: [Part], frames: [Int]) {
    (self.name, self.parts, self.frames) = (name, parts, frames)
  }
}

/// Bytes of a message that differ from frame to frame.
package struct LearntField: Hashable, Sendable {
  package enum Meaning: Hashable, Sendable {
    case bytes
    /// A number of these bytes that changes smoothly or has a plain range.
    case number(ByteOrder, isSigned: Bool)
    /// A number of IEEE 754 with 32 bits.
    case float(ByteOrder)
    /// One of a few values.
    case enumeration([[UInt8]])
    /// Grows by a step with each frame, and wraps around.
    case counter(ByteOrder, step: Int)
    /// Counts with the recording's time: units a second.
    case clock(ByteOrder, unitsPerSecond: Double)
    /// Seconds since 1970.
    case unixTime(ByteOrder)
    /// A date and time in single bytes.
    case calendar
    case text
    /// In a text: a decimal number, by its place among the words and what is between them, with so many digits; nil: without
    /// zeros before it.
    case digits(token: Int, count: Int?)
    /// In a text: letters and digits.
    case word(token: Int)
    /// Of all bytes after it.
    case checksum(Checksum)
  }

  /// `byte-4`, `bytes-6`, `count-3`: by its place in the message.
  package var name: String
  /// Bytes; nil: the rest up to the parts after it.
  package var width: Int?
  package var meaning: Meaning

  package init(_ name: String, width: Int?, _ meaning: Meaning) {
    (self.name, self.width, self.meaning) = (name, width, meaning)
  }
}
