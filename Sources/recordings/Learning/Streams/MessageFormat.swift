import Framing

/// What the frames of all messages have in common: where they begin to differ, their length field, their end.
struct MessageFormat {
  /// A number in the frames that gives their size: `size + adjust`.
  struct SizeField: Hashable {
    var place: Int
    var width: Int
    var order: ByteOrder
    var adjust: Int
  }

  let check: CheckField?
  /// A checksum before the bytes that it covers, where there is none after them.
  let header: HeaderCheck?
  let size: SizeField?
  /// What packets start with, if there are several formats.
  let starts: [[UInt8]]
  /// The places of bytes that count the frames of all messages.
  let counters: Set<Int>
  private(set) var claims: [Layout.Claim] = []

  private static let furthestSize = 8

  init(_ frames: [[UInt8]], _ layout: Layout) {
    check = layout.check?.field
    starts = if case .alternatives(let formats)? = layout.rule?.shape { formats.map(\.start) } else { [] }
    counters = Self.counters(in: frames)
    header = check == nil ? HeaderCheck(in: frames) : nil
    claims = header.map { [$0.claim(about: frames)] } ?? []
    if let known = layout.rule?.sizeField {
      size = known
      return
    }
    let sample = frames.distinct.spread(over: 200)
    let size = Self.sizeFields.lazy.compactMap { Self.verified($0, in: sample) }.first
    self.size = size?.field
    if let size {
      claims.append(
        Layout.Claim(
          "\(size.field.width * 8)-bit size of the frame at byte \(size.field.place)", size.agreeing,
          of: sample.count))
    }
  }

  /// The ends of frames: nil where a frame has none of them.
  func ends(of frames: [[UInt8]]) -> FrameEnds {
    var ends = FrameEnds()
    ends.counters = counters
    if let check,
      frames.allSatisfy({ $0.has(check) })
    {
      ends.check = check
    }
    if let size, frames.allSatisfy({ size.holds(for: $0) }) { ends.size = size }
    if let header, header.place > ends.size?.place ?? 0, frames.allSatisfy({ header.holds(for: $0) == true })
    {
      ends.header = header
    }
    return ends
  }

  private static func counters(in frames: [[UInt8]]) -> Set<Int> {
    let pairs = Array(zip(frames, frames.dropFirst()).prefix(400))
    guard pairs.count > 3 else { return [] }
    return Set(
      (0..<(frames.map(\.count).min().map { min($0, furthestSize) } ?? 0)).filter { place in
        pairs.count { $0[place] &+ 1 == $1[place] } * 10 >= pairs.count * 8
      })
  }

  private static let sizeFields: [SizeField] = (0...furthestSize).flatMap { place in
    [(1, .bigEndian), (2, .littleEndian), (2, .bigEndian)].map { (width: Int, order: ByteOrder) in
      SizeField(place: place, width: width, order: order, adjust: 0)
    }
  }

  /// The field with what is to be added, if the sizes of nearly all frames agree with it, and differ.
  private static func verified(_ field: SizeField, in frames: [[UInt8]]) -> (field: SizeField, agreeing: Int)?
  {
    let numbers = frames.compactMap { frame in field.number(in: frame).map { (size: frame.count, number: $0) }
    }
    guard numbers.count * 10 >= frames.count * 9,
      let most = numbers.mostCommon({ $0.number - $0.size }), -64...16 ~= most.key
    else { return nil }
    let sizes = Set(numbers.filter { $0.number - $0.size == most.key }.map(\.size))
    guard most.count * 10 >= frames.count * 9, sizes.count > 2 || (sizes.count == 2 && most.count > 5) else {
      return nil
    }
    var field = field
    field.adjust = most.key
    return (field, most.count)
  }
}

/// The parts of frames that their other bytes, or the frames before them, determine.
struct FrameEnds {
  var check: CheckField?
  var header: HeaderCheck?
  var size: MessageFormat.SizeField?
  /// The places of bytes that count the frames of all messages.
  var counters: Set<Int> = []
  /// Whether the central sends the frames: then the next one may have another count where all have the same.
  var isRequest = false
}

extension MessageFormat.SizeField {
  func number(in frame: [UInt8]) -> Int? {
    place + width <= frame.count ? Int(order.number(frame[place..<(place + width)])) : nil
  }

  func holds(for frame: [UInt8]) -> Bool { number(in: frame) == frame.count + adjust }
}

extension FramingRule {
  /// The length field of its packets, as a size of the whole frame.
  fileprivate var sizeField: MessageFormat.SizeField? {
    guard case .packet(let format) = shape, case .lengthField(let field) = format.extent else { return nil }
    return MessageFormat.SizeField(
      place: field.offset, width: field.width, order: field.byteOrder,
      adjust: -format.frameLength(for: 0, in: field))
  }
}
