import Framing

/// The frames of one message in time, as numbers at one place or another.
struct TimedSeries {
  let frames: [StreamAnalysis.Frame]

  init(_ frames: [StreamAnalysis.Frame]) { self.frames = frames }

  var count: Int { frames.count }

  private func numbers(at place: Int, width: Int, _ order: ByteOrder) -> [Int64] {
    frames.map { order.number($0.bytes[place..<(place + width)]) }
  }

  private func isConstant(_ place: Int) -> Bool {
    frames.allSatisfy { $0.bytes[place] == frames[0].bytes[place] }
  }

  /// Pairs of frames that follow each other in one conversation.
  private var neighbours: [(Int, Int)] {
    zip(frames.indices, frames.indices.dropFirst()).filter {
      frames[$0].conversation == frames[$1].conversation
    }
  }

  /// Whether the bytes at both ends of the number change: what is constant next to it is no part of it.
  func isWholeNumber(at place: Int, width: Int) -> Bool {
    !isConstant(place) && !isConstant(place + width - 1)
  }
}

extension TimedSeries {
  /// The step of a number that grows with each frame, or falls, and wraps around.
  func counterStep(at place: Int, width: Int, _ order: ByteOrder) -> Int? {
    let numbers = numbers(at: place, width: width, order)
    let limit = Int64(1) << (8 * Int64(width))
    let steps = neighbours.map { (numbers[$1] - numbers[$0] + limit) % limit }
    guard steps.count > 2, Set(numbers).count > 2, let most = steps.mostCommon({ $0 }), most.key != 0,
      most.count * 10 >= steps.count * 9
    else { return nil }
    let step = most.key > limit / 2 ? most.key - limit : most.key
    // The lowest byte would not change.
    return abs(step) < 256 || width == 1 ? Int(step) : nil
  }

  /// The rate of a number that grows with the recording's time, in units a second.
  func clockRate(at place: Int, width: Int, _ order: ByteOrder) -> Double? {
    let numbers = numbers(at: place, width: width, order)
    guard Set(numbers).count >= 8, Set(frames.map(\.conversation)).count == 1 else { return nil }
    let times = frames.map { Double($0.time.microseconds &- frames[0].time.microseconds) / 1_000_000 }
    let limit = Int64(1) << (8 * Int64(width))
    var sums: [Double] = [0]
    for (before, after) in zip(numbers, numbers.dropFirst()) {
      let step = (after - before + limit) % limit
      guard step < limit / 2, let last = sums.last else { return nil }
      sums.append(last + Double(step))
    }
    guard let passed = times.last, passed > 0, let grown = sums.last, grown >= 8 else { return nil }
    let measured = grown / passed
    guard let rate = Self.rates.first(where: { abs($0 - measured) < max($0 * 0.03, 1.5 / passed) }) else {
      return nil
    }
    let tolerance = max(1.5, min(rate * 0.15, grown / 20))
    let offsets = zip(sums, times).map { $0 - $1 * rate }
    guard let least = offsets.min(), let greatest = offsets.max(), greatest - least <= 2 * tolerance else {
      return nil
    }
    return rate
  }

  private static let rates: [Double] = [
    1, 2, 4, 5, 8, 10, 20, 25, 50, 100, 125, 128, 200, 250, 256, 500, 1000, 1024, 32768,
  ]

  /// The byte order of seconds since 1970 in some time zone.
  func unixTime(at place: Int) -> ByteOrder? {
    ByteOrder.allCases.first { isRecordingTime(numbers(at: place, width: 4, $0)) }
  }

  /// The form of a date and time that pass with the recording's.
  func calendar(at place: Int, room: Int) -> CalendarTime? {
    CalendarTime.allCases.first { form in
      guard form.width <= room else { return false }
      let times = frames.compactMap { form.seconds($0.bytes[place..<(place + form.width)]) }
      return times.count == frames.count && isRecordingTime(times)
    }
  }

  /// Whether these are the seconds of the recording's frames, in some time zone: the offset is a whole number of quarter hours.
  /// Where the recorder had no clock, small numbers are no times.
  private func isRecordingTime(_ seconds: [Int64]) -> Bool {
    guard frames.allSatisfy(\.time.isOfClock) else { return false }
    let offsets = zip(seconds, frames).map { $0 - $1.time.microseconds / 1_000_000 }
    guard let least = offsets.min(), let greatest = offsets.max(), greatest - least <= 3 else { return false }
    let quarter = Int64(15 * 60)
    return abs(least) <= 14 * 3600 && (least + 5 * quarter * 1000 + 5) % quarter <= 10
  }
}

extension TimedSeries {
  /// Whether a number of several bytes that changes by small steps is signed; nil: it does not change so.
  func smoothness(at place: Int, width: Int, _ order: ByteOrder) -> Bool? {
    let top = order == .littleEndian ? place + width - 1 : place
    let low = order == .littleEndian ? place : place + width - 1
    guard count > 5, !isConstant(top), !isConstant(low) else { return nil }
    let lows = numbers(at: low, width: 1, order)
    let rest = numbers(at: order == .littleEndian ? place : place + 1, width: width - 1, order)
    let tops = numbers(at: top, width: 1, order)
    guard Set(lows).count > Set(tops).count, neighbours.count(where: { tops[$0] != tops[$1] }) > 1 else {
      return nil
    }
    let unsigned = numbers(at: place, width: width, order)
    let half = Int64(1) << (8 * Int64(width) - 1)
    let signed = unsigned.map { $0 >= half ? $0 - 2 * half : $0 }
    let isSigned = change(of: signed) < change(of: unsigned)
    let numbers = isSigned ? signed : unsigned
    return change(of: numbers) < change(of: rest) && change(of: numbers) < Double(half) / 16 ? isSigned : nil
  }

  /// The mean of the absolute differences of neighbours.
  private func change(of numbers: [Int64]) -> Double {
    let steps = neighbours.map { abs(numbers[$1] - numbers[$0]) }
    return steps.isEmpty ? .infinity : Double(steps.reduce(0, +)) / Double(steps.count)
  }

  /// A number or one of a few values; nil: neither.
  func singleByte(at place: Int) -> LearntField.Meaning? {
    let numbers = numbers(at: place, width: 1, .bigEndian)
    let values = Set(numbers).sorted()
    guard values.count > 1, let least = values.first, let greatest = values.last else { return nil }
    if values.count > 2, count > 5, change(of: numbers) * 8 <= Double(max(8, greatest - least)),
      greatest - least < 4 * Int64(values.count)
    {
      return .number(.littleEndian, isSigned: false)
    }
    guard values.count <= 8, count >= 3 * values.count else { return nil }
    return .enumeration(values.map { [UInt8($0)] })
  }
}
