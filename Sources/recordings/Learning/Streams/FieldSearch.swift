import Framing

/// Takes frames of one message apart: what is constant, what the other bytes determine, and what changes in a way with a name.
struct FieldSearch {
  private let frames: [[UInt8]]
  private let message: Int
  private let ends: FrameEnds
  private let series: TimedSeries
  private(set) var claims: [Layout.Claim] = []

  private static let enough = 400

  /// - Parameter message: its index in the stream.
  init(_ frames: [StreamAnalysis.Frame], of message: Int, _ ends: FrameEnds) {
    self.frames = frames.map(\.bytes)
    self.message = message
    self.ends = ends
    series = TimedSeries(Array(frames.prefix(Self.enough)))
  }

  /// The parts, in order.
  mutating func parts() -> [LearntMessage.Part] {
    guard let first = frames.first else { return [] }
    let shortest = frames.map(\.count).min() ?? 0
    let varies = frames.contains { $0.count != shortest }
    let end = shortest - (ends.check?.size ?? 0)
    guard varies else { return parts(0..<end) + check(first) }
    let common = frames.map { Array($0.dropLast(ends.check?.size ?? 0)) }.commonEnd(atMost: 4)
    let tail = min(common, max(0, end - (ends.size.map { $0.place + $0.width } ?? 0)))
    let rest = LearntField(
      Self.name("bytes", end - tail), width: nil, isText(from: end - tail, tail) ? .text : .bytes)
    let last = first.dropLast(ends.check?.size ?? 0).suffix(tail)
    return parts(0..<(end - tail)) + [.field(rest)] + (last.isEmpty ? [] : [.constant(Array(last))])
      + check(first)
  }

  /// The checksum, and what follows it.
  private func check(_ frame: [UInt8]) -> [LearntMessage.Part] {
    guard let check = ends.check else { return [] }
    let tail = Array(frame.suffix(check.trailing))
    return [.checksum(check.checksum, from: check.start)] + (tail.isEmpty ? [] : [.constant(tail)])
  }

  private mutating func parts(_ range: Range<Int>) -> [LearntMessage.Part] {
    let (certain, free) = certainFields(range)
    var numbers = NumberPlan(
      series, in: free, known: certain.values.compactMap { $0.meaning.order($0.width) }
    ).numbers
    var parts: [LearntMessage.Part] = []
    var place = 0
    while place < range.upperBound {
      if let part = determined(at: place, before: range.upperBound) {
        parts.append(part)
        place += part.width ?? 1
      } else if let found = certain[place] ?? numbers.removeValue(forKey: place) ?? single(at: place) {
        parts.append(.field(field(found, at: place)))
        place += found.width
      } else {
        place += 1
        append(frames[0][place - 1], at: place - 1, to: &parts)
      }
    }
    return parts
  }

  /// The size of the frame, or a checksum of what follows; nil: neither is at the place.
  private func determined(at place: Int, before end: Int) -> LearntMessage.Part? {
    if let size = ends.size, place == size.place, place + size.width <= end, hasSeveralSizes {
      return .size(width: size.width, size.order, adjust: size.adjust)
    }
    guard let header = ends.header, place == header.place, !isConstant(place) else { return nil }
    let (name, checksum) = (Self.name("check", place), header.checksum)
    return .field(LearntField(name, width: checksum.width, .checksum(checksum)))
  }

  private var hasSeveralSizes: Bool { Set(frames.map(\.count)).count > 1 }

  /// No field reaches beyond the place of the size or of a checksum.
  private func limit(after place: Int, _ end: Int) -> Int {
    let size = hasSeveralSizes ? ends.size?.place : nil
    return [size, ends.header?.place].compactMap(\.self).filter { $0 > place }.reduce(end, min)
  }

  private func append(_ byte: UInt8, at place: Int, to parts: inout [LearntMessage.Part]) {
    switch (parts.last, isConstant(place)) {
    case (.constant(let bytes)?, true):
      parts[parts.count - 1] = .constant(bytes + [byte])
    case (_, true):
      parts.append(.constant([byte]))
    case (.field(var field)?, false) where field.meaning == .bytes:
      field.width = (field.width ?? 0) + 1
      field.name = Self.name("bytes", place + 1 - (field.width ?? 0))
      parts[parts.count - 1] = .field(field)
    case (_, false):
      parts.append(.field(LearntField(Self.name("byte", place), width: 1, .bytes)))
    }
  }

  private func isConstant(_ place: Int) -> Bool { frames.commonByte(at: place) != nil }

  private static func name(_ kind: String, _ place: Int) -> String { "\(kind)-\(place)" }
}

extension FieldSearch {
  /// What is at places where nothing else can be, which are texts, times and counters; and the runs between them, in which numbers
  /// may be.
  private func certainFields(_ range: Range<Int>) -> (fields: [Int: NumberPlan.Number], free: [Range<Int>]) {
    var (fields, free) = ([Int: NumberPlan.Number](), [Range<Int>]())
    var (start, place) = (range.lowerBound, range.lowerBound)
    while place < range.upperBound {
      let part = determined(at: place, before: range.upperBound)
      if part == nil { fields[place] = certain(at: place, before: limit(after: place, range.upperBound)) }
      if let width = part?.width ?? fields[place]?.width {
        if start < place { free.append(start..<place) }
        place += width
        start = place
      } else {
        place += 1
      }
    }
    return (fields, free + (start < range.upperBound ? [start..<range.upperBound] : []))
  }

  private mutating func field(_ found: NumberPlan.Number, at place: Int) -> LearntField {
    let name = Self.name(found.meaning.word, place)
    let isCount = if case .counter = found.meaning { true } else { false }
    if let text = found.meaning.text(width: found.width), series.count > 2 || !isCount {
      var claim = Layout.Claim(text, series.count, of: series.count)
      claim.field = .init(name: name, message: message)
      claims.append(claim)
    }
    return LearntField(name, width: found.width, found.meaning)
  }

  private func certain(at place: Int, before end: Int) -> NumberPlan.Number? {
    func fits(_ width: Int) -> Bool { width <= end - place }
    if fits(4), let order = series.unixTime(at: place) { return (.unixTime(order), 4) }
    if let form = series.calendar(at: place, room: end - place) { return (.calendar, form.width) }
    guard series.count > 2 else { return counts(at: place) ? (.counter(.bigEndian, step: 1), 1) : nil }
    if let width = textWidth(at: place, before: end) { return (.text, width) }
    for width in [4, 2, 1] where fits(width) {
      for order in ByteOrder.allCases where width > 1 || order == .bigEndian {
        guard series.isWholeNumber(at: place, width: width) else { continue }
        if let step = series.counterStep(at: place, width: width, order) {
          return (.counter(order, step: step), width)
        }
        if let rate = series.clockRate(at: place, width: width, order) {
          return (.clock(order, unitsPerSecond: rate), width)
        }
      }
    }
    return counts(at: place) ? (.counter(.bigEndian, step: 1), 1) : nil
  }

  /// Whether the byte counts the frames of all messages.
  private func counts(at place: Int) -> Bool {
    ends.counters.contains(place) && (ends.isRequest || !isConstant(place))
  }

  private func single(at place: Int) -> NumberPlan.Number? {
    series.count > 2 ? series.singleByte(at: place).map { ($0, 1) } : nil
  }

  /// Printable bytes, at least four and changing, up to zeros that pad them.
  private func textWidth(at place: Int, before end: Int) -> Int? {
    guard !isConstant(place), let first = frames.first, first[place].isAlphanumeric else { return nil }
    var width = 0
    while place + width < end, frames.allSatisfy({ $0[place + width].isPrintable || $0[place + width] == 0 })
    {
      width += 1
    }
    while width > 0, isConstant(place + width - 1), first[place + width - 1] == 0 { width -= 1 }
    guard width >= 4 else { return nil }
    let texts = frames.map { $0[place..<(place + width)] }
    let isPadded = texts.allSatisfy { $0.drop { $0 != 0 }.allSatisfy { $0 == 0 } && $0[place].isAlphanumeric }
    return isPadded && texts.allSatisfy({ $0.count(where: \.isAlphanumeric) * 2 > $0.count { $0 != 0 } })
      ? width : nil
  }

  private func isText(from place: Int, _ tail: Int) -> Bool {
    let size = (ends.check?.size ?? 0) + tail
    return frames.allSatisfy { $0.dropFirst(place).dropLast(size).allSatisfy(\.isPrintable) }
      && frames.contains { $0.count - size - place > 3 }
  }
}

extension LearntField.Meaning {
  /// The first part of the field's name.
  fileprivate var word: String {
    switch self {
    case .bytes: "bytes"
    case .number, .float: "number"
    case .enumeration: "byte"
    case .counter: "count"
    case .clock, .unixTime, .calendar: "time"
    case .text, .digits, .word: "text"
    case .checksum: "check"
    }
  }

  /// As in `counts by 1`; nil: there is nothing to say.
  fileprivate func text(width: Int) -> String? {
    switch self {
    case .bytes, .enumeration, .checksum: nil
    case .number(let order, let isSigned):
      "is a number that changes smoothly"
        + (width > 1 ? " (\(order.rawValue)\(isSigned ? ", signed" : ""))" : "")
    case .float(let order): "is a 32-bit float (\(order.rawValue))"
    case .counter(_, let step): "counts by \(step)"
    case .clock(_, let rate): "counts time: \(Int64(rate.rounded())) a second"
    case .unixTime(let order): "is the unix time (\(order.rawValue))"
    case .calendar: "is the date and time"
    case .text, .digits, .word: "is text"
    }
  }

  /// The byte order of a number of several bytes.
  fileprivate func order(_ width: Int) -> (order: ByteOrder, width: Int)? {
    switch self {
    case .number(let order, _), .float(let order), .counter(let order, _), .clock(let order, _),
      .unixTime(let order):
      width > 1 ? (order, width) : nil
    case .bytes, .enumeration, .calendar, .text, .digits, .word, .checksum: nil
    }
  }
}
