import Framing

/// The numbers of a message, all in one byte order and with one alignment: those that explain most bytes.
struct NumberPlan {
  typealias Number = (meaning: LearntField.Meaning, width: Int)

  /// By their places.
  private(set) var numbers: [Int: Number] = [:]

  /// - Parameters:
  ///   - runs: places of which nothing is known yet.
  ///   - known: orders of numbers that are known, with their widths.
  init(_ series: TimedSeries, in runs: [Range<Int>], known: [(order: ByteOrder, width: Int)]) {
    guard series.count > 3 else { return }
    var most = 0
    for order in [ByteOrder.littleEndian, .bigEndian] {
      let floats = FloatSearch(series, order).places(in: runs)
      for alignment in 0...1 {
        let numbers = Self.numbers(series, in: runs, order, alignment, floats)
        let score =
          numbers.reduce(0) { $0 + $1.value.width }
          + known.reduce(0) { $0 + ($1.order == order ? $1.width : 0) }
        if !numbers.isEmpty, score > most { (most, self.numbers) = (score, numbers) }
      }
    }
  }

  private static func numbers(
    _ series: TimedSeries, in runs: [Range<Int>], _ order: ByteOrder, _ alignment: Int, _ floats: Set<Int>
  ) -> [Int: Number] {
    var numbers: [Int: Number] = [:]
    for run in runs {
      var place = run.lowerBound
      while place < run.upperBound {
        let number = place % 2 == alignment ? number(series, at: place, in: run, order, floats) : nil
        if let number { numbers[place] = number }
        place += number?.width ?? 1
      }
    }
    return numbers
  }

  private static func number(
    _ series: TimedSeries, at place: Int, in run: Range<Int>, _ order: ByteOrder, _ floats: Set<Int>
  ) -> Number? {
    if floats.contains(place) { return (.float(order), 4) }
    for width in [4, 2] where place + width <= run.upperBound {
      // What a float covers is no other number.
      guard floats.isDisjoint(with: (place + 1)..<(place + width)) else { continue }
      if let isSigned = series.smoothness(at: place, width: width, order) {
        return (.number(order, isSigned: isSigned), width)
      }
    }
    return nil
  }
}

/// Numbers of IEEE 754 in a message. Some bytes of one look like those of another number, so one alone must be plain.
struct FloatSearch {
  private let series: TimedSeries
  private let order: ByteOrder

  private static let range = 1e-4...1e7
  /// Measured and set values have few digits.
  private static let mostDigits = 5

  init(_ series: TimedSeries, _ order: ByteOrder) { (self.series, self.order) = (series, order) }

  /// Those of one alignment that has most of them.
  func places(in runs: [Range<Int>]) -> Set<Int> {
    var best: Set<Int> = []
    for alignment in 0...3 {
      var (places, plain) = (Set<Int>(), 0)
      for run in runs where run.count >= 4 {
        for place in run.lowerBound...(run.upperBound - 4) where place % 4 == alignment {
          guard let isPlain = examine(place) else { continue }
          places.insert(place)
          plain += isPlain ? 1 : 0
        }
      }
      let isProven = plain > 0 || places.count > 2
      if isProven, places.count > best.count { best = places }
    }
    return best
  }

  /// Whether a float at a place is plain: its values have few digits. nil: it cannot be one.
  private func examine(_ place: Int) -> Bool? {
    let bits = Set(
      series.frames.map { UInt32(truncatingIfNeeded: order.number($0.bytes[place..<(place + 4)])) })
    let numbers = bits.map { Float(bitPattern: $0) }
    let others = numbers.filter { $0 != 0 }
    guard bits.count > 2, others.count > 1, !bits.contains(0x8000_0000),
      numbers.allSatisfy({ $0 == 0 || Self.range.contains(Double($0.magnitude)) })
    else { return nil }
    if others.allSatisfy({ Self.digits($0) <= Self.mostDigits }) { return true }
    // A measured value uses all of its mantissa, and changes by little.
    let lows = Set(bits.map { $0 & 0xFF })
    let sizes = others.map(\.magnitude)
    guard bits.count > 5, lows.count > 2, let least = sizes.min(), let greatest = sizes.max() else {
      return nil
    }
    return greatest < least * 4 ? false : nil
  }

  /// Of the shortest decimal number that is this float.
  private static func digits(_ number: Float) -> Int {
    let digits = number.magnitude.description.prefix { $0 != "e" }.filter(\.isNumber)
    return digits.drop { $0 == "0" }.reversed().drop { $0 == "0" }.count
  }
}
