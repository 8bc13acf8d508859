import Framing

/// A byte of an answer that follows from a byte of the request.
struct Echo: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case byte
    /// Two hexadecimal digits.
    case digits(isUpper: Bool)
  }

  /// In the answer.
  var place: Int
  /// In the request.
  var source: Int
  /// What the answer adds to it.
  var added: UInt8 = 0
  var form = Form.byte

  /// The places in the answer.
  var places: Range<Int> { place..<(place + (form == .byte ? 1 : 2)) }

  func holds(for request: [UInt8], _ answer: [UInt8]) -> Bool {
    guard request.indices.contains(source), places.upperBound <= answer.count else { return false }
    return bytes(for: request) == Array(answer[places])
  }

  private func bytes(for request: [UInt8]) -> [UInt8] {
    let byte = request[source] &+ added
    switch form {
    case .byte: return [byte]
    case .digits(let isUpper):
      let text = byte.hexadecimal(digits: 2)
      return Array((isUpper ? text.uppercased() : text.lowercased()).utf8)
    }
  }
}

extension Echo {
  struct Pair: Hashable {
    var request: [UInt8]
    var answer: [UInt8]
  }

  /// Further pairs would not change what they show.
  private static let enough = 200

  /// The bytes of the answers that follow from these bytes of the requests in all pairs.
  ///
  /// A copy needs two different values, a sum three. Of several sources of a byte, the nearest copy counts.
  ///
  /// - Parameter pairs: the answers have one size.
  static func all(in pairs: [Pair], from sources: some Sequence<Int>) -> [Echo] {
    let pairs = pairs.distinct.spread(over: enough)
    guard let first = pairs.first, pairs.count > 1 else { return [] }
    let changing = first.answer.indices.filter { place in
      pairs.contains { $0.answer[place] != first.answer[place] }
    }
    let known = sources.filter { source in pairs.allSatisfy { source < $0.request.count } }
    let counts = known.map { source in Set(pairs.map { $0.request[source] }).count }
    var found: [Echo] = []
    for place in changing where !found.contains(where: { $0.places.contains(place) }) {
      let possible = zip(known, counts).flatMap { source, count in
        count > 1 ? candidates(at: place, from: source, first, count) : []
      }
      let fitting = possible.filter { echo in
        pairs.allSatisfy { echo.holds(for: $0.request, $0.answer) }
      }
      let nearest = fitting.min { $0.distance < $1.distance }
      if let nearest { found.append(nearest) }
    }
    return found
  }

  /// What the first pair permits.
  private static func candidates(at place: Int, from source: Int, _ pair: Pair, _ count: Int) -> [Echo] {
    var echo = Echo(place: place, source: source, added: pair.answer[place] &- pair.request[source])
    var candidates = echo.added == 0 || count > 2 ? [echo] : []
    guard place + 1 < pair.answer.count else { return candidates }
    let text = String(decoding: pair.answer[place...place + 1], as: UTF8.self)
    guard let byte = UInt8(text, radix: 16), !text.hasPrefix("+") else { return candidates }
    echo.added = byte &- pair.request[source]
    guard echo.added == 0 || count > 2 else { return candidates }
    for isUpper in [true, false] {
      echo.form = .digits(isUpper: isUpper)
      candidates.append(echo)
    }
    return candidates
  }

  private var distance: Int { (added == 0 ? 0 : 1000) + abs(place - source) }
}
