extension LearntMessage {
  /// Puts a field in place of constant bytes, if all of them are in one part. Its offset is from the start.
  ///
  /// - Returns: whether they are.
  mutating func open(at offset: Int, _ field: LearntField) -> Bool {
    guard let width = field.width, width > 0 else { return false }
    var start = 0
    for index in parts.indices {
      guard let size = parts[index].width else { return false }
      if case .constant(let bytes) = parts[index], offset >= start, offset + width <= start + size {
        let (before, after) = (bytes[..<(offset - start)], bytes[(offset - start + width)...])
        let parts: [Part] = [.constant(Array(before)), .field(field), .constant(Array(after))]
        self.parts.replaceSubrange(index...index, with: parts.filter { $0 != .constant([]) })
        return true
      }
      start += size
    }
    return false
  }

  /// Whether something in it can be told beforehand. All bytes of an encrypted message vary at random.
  var hasForm: Bool {
    parts.reduce(0) { $0 + ($1.width ?? 0) } < Self.shortestCipher
      || parts.contains { part in
        switch part {
        case .constant, .size, .checksum: true
        case .field(let field):
          switch field.meaning {
          case .bytes, .enumeration, .number: false
          case .counter, .clock, .unixTime, .calendar, .text, .digits, .word, .checksum, .float: true
          }
        }
      }
  }

  private static let shortestCipher = 8

  /// Bytes; nil: it varies.
  var size: Int? {
    parts.reduce(0) { size, part in size.flatMap { size in part.width.map { size &+ $0 } } }
  }

  var hasSizeField: Bool { parts.contains { if case .size = $0 { true } else { false } } }

  /// The fields of fixed size with their offsets from the start.
  var fixedFields: [(offset: Int, field: LearntField)] {
    var (fields, offset) = ([(offset: Int, field: LearntField)](), 0)
    for part in parts {
      guard let width = part.width else { break }
      if case .field(let field) = part { fields.append((offset, field)) }
      offset &+= width
    }
    return fields
  }
}

extension StreamAnalysis {
  /// How many different requests show which bytes of a message are always the same.
  private static let enough = 3
  /// Bytes at the start that are a condition in any case.
  private static let shortestStart = 2

  /// Takes bytes of requests that were recorded once or twice for fields, where they are not needed to tell messages apart: another
  /// client may pad otherwise.
  mutating func openUnneededConstants() {
    guard stream.direction == .fromCentral else { return }
    let known = messages.map { message in message.frames.map { frames[$0].bytes } }
    let tail = Set(known.joined()).count > 1 ? Array(known.joined()).commonEnd(atMost: 2) : 2
    for index in messages.indices where !messages[index].isText {
      let own = known[index].distinct
      guard let first = own.first, own.count < Self.enough,
        let start = known.indices.reduce(
          Self.shortestStart as Int?,
          { start, other in
            guard let start, other != index else { return start }
            return first.indices.first { place in
              known[other].commonByte(at: place).map { $0 != first[place] } == true
                && own.commonByte(at: place) != nil
            }.map { max(start, $0 + 1) }
          })
      else { continue }
      let end = first.count - tail
      if start < end { messages[index].openConstants(in: start..<end) }
    }
  }
}

extension LearntMessage {
  /// Puts fields in place of the constant bytes of a range, up to the first part of variable size.
  fileprivate mutating func openConstants(in range: Range<Int>) {
    var offset = 0
    for part in parts {
      guard let width = part.width else { return }
      let place = (offset..<offset + width).clamped(to: range)
      _ = open(at: place.lowerBound, LearntField("bytes-\(place.lowerBound)", width: place.count, .bytes))
      offset += width
    }
  }
}
