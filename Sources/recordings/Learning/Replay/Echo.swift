import DeviceModel
import Framing

/// A number in an answer that follows from a byte of the request.
struct Echo: Hashable, Sendable {
  /// In the answer.
  var place: Int
  /// In the request.
  var source: Int
  var relation = NumberRelation.equal
  /// In the answer.
  var form = Self.byte

  private static let byte = NumberForm.integer(1, .littleEndian)
  private static let forms = [byte] + [false, true].map { .digits(.hexadecimal(isLower: $0), 2) }

  /// The places in the answer.
  var places: Range<Int> { place..<(place + form.width) }

  func holds(for request: [UInt8], _ answer: [UInt8]) -> Bool {
    guard request.indices.contains(source), places.upperBound <= answer.count else { return false }
    return form.bytes(of: relation.number(of: Int64(request[source]))) == Array(answer[places])
  }

  /// The number, computed from a request.
  func value(of request: Expression) -> Expression {
    relation.expression(of: .byte(of: request, at: .number(source)), upTo: 255, below: form.limit)
  }
}

extension Echo {
  /// Further pairs would not change what they show.
  private static let enough = 200

  /// The bytes of the answers that follow from these bytes of the requests in all pairs.
  ///
  /// A copy needs two different values, a sum three. Of several sources of a byte, the nearest copy counts.
  ///
  /// - Parameter pairs: the answers have one size.
  static func all(in pairs: [FramePair], from sources: some Sequence<Int>) -> [Echo] {
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
  private static func candidates(at place: Int, from source: Int, _ pair: FramePair, _ count: Int) -> [Echo] {
    forms.compactMap { form in
      guard place + form.width <= pair.answer.count,
        let number = form.number(in: pair.answer[place..<place + form.width])
      else { return nil }
      let added = (number - Int64(pair.request[source]) + 256) % 256
      guard added > 0 else { return Echo(place: place, source: source, form: form) }
      return count > 2
        ? Echo(place: place, source: source, relation: .plus(added, below: 256), form: form) : nil
    }
  }

  private var distance: Int { (relation == .equal ? 0 : 1000) + abs(place - source) }
}
