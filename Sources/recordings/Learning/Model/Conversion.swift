import DeviceModel
import Framing

/// Computes a field of what the device sends from a request.
struct Conversion: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// The field of the request with this index, as it is.
    case field(Int)
    /// Bytes of the request that the field has in the same order, or in the opposite one.
    case bytes(at: Int, isReversed: Bool)
    /// A number in the request that is related to the number in the field.
    case number(NumberForm, at: Int, NumberRelation, NumberForm)
    /// The number of bytes of the request.
    case size
  }

  var source: Source
  /// How the language writes the field.
  var type: FieldType

  /// What the field must show before this is no coincidence, in bits.
  var cost: Int {
    switch source {
    case .field: 2
    case .bytes(_, let isReversed): isReversed ? 7 : 6
    case .size: 6
    case .number(let form, _, let relation, let target): 8 + form.cost + relation.cost + target.cost
    }
  }

  /// Whether it is a field of several bytes.
  var isWhole: Bool { if case .field = source { type.width > 1 } else { false } }

  /// - Parameter request: the layout of the request.
  func expression(_ request: MessageLayout) -> Expression {
    switch source {
    case .field(let index): return .field(index)
    case .bytes(let offset, let isReversed): return type.expression(at: offset, isReversed: isReversed)
    case .size: return .call(.size, [.known(.frame)])
    case .number(let form, let offset, let relation, let target):
      let value = field(request).map { .field($0) } ?? form.expression(at: offset)
      return relation.expression(of: value, upTo: form.limit - 1, below: target.limit)
    }
  }

  /// The field of the request that it reads; nil: it reads other bytes.
  func field(_ request: MessageLayout) -> Int? {
    switch source {
    case .field(let index): index
    case .number(let form, let offset, _, _): request.field(form, at: offset)
    case .bytes, .size: nil
    }
  }

  /// The bytes of the field that a request gives; nil: it has no such number.
  func bytes(of request: [UInt8], _ layout: MessageLayout?) -> [UInt8]? {
    switch source {
    case .field(let index): return layout?.places[index].bytes(in: request)
    case .bytes(let offset, let isReversed):
      let bytes = request.dropFirst(offset).prefix(type.width)
      return isReversed ? bytes.reversed() : Array(bytes)
    case .size: return type.bytes(of: Int64(request.count))
    case .number(let form, let offset, let relation, _):
      guard offset + form.width <= request.count else { return nil }
      return form.number(in: request[offset..<offset + form.width]).map(relation.number).flatMap(type.bytes)
    }
  }

  /// As in `byte-1 of request-01 plus 64`.
  ///
  /// - Parameter name: that of the request, or of several.
  func words(_ request: MessageLayout, _ name: String) -> String {
    switch source {
    case .field(let index): return "\(request.places[index].name) of \(name)"
    case .bytes(let offset, let isReversed):
      return "\(Self.bytes(offset, type.width))\(isReversed ? " in the opposite order" : "") of \(name)"
    case .size: return "the size of the request"
    case .number(let form, let offset, let relation, _):
      let place = field(request).map { request.places[$0].name }
      return "\(place ?? Self.bytes(offset, form.width) + form.words) of \(name)\(relation.words)"
    }
  }

  private static func bytes(_ offset: Int, _ width: Int) -> String {
    width == 1 ? "byte \(offset)" : "bytes \(offset) to \(offset + width - 1)"
  }
}

extension MessageLayout {
  /// The field that is such a number.
  fileprivate func field(_ form: NumberForm, at offset: Int) -> Int? {
    places.firstIndex { $0.position == .fromStart(offset) && $0.type.hasValues(of: form.type) }
  }
}

// MARK: Search

extension MessageLayout.Place {
  /// The simplest conversion that gives this field in all pairs; nil: there is none that cannot be chance.
  ///
  /// - Parameters:
  ///   - request: the layout of the requests; nil: they have several.
  ///   - end: how many bytes of a request it may read.
  ///   - first: what the field had before them. If it had another value then, one value suffices for whole fields of
  ///     several bytes.
  func conversion(
    of pairs: [FramePair], _ request: MessageLayout?, upTo end: Int, from first: [UInt8]? = nil
  ) -> Conversion? {
    let answers = pairs.map { bytes(in: $0.answer) }
    guard !answers.isEmpty, !answers.contains([]), pairs.count > 2 || (width ?? 2) > 1 else { return nil }
    let evidence = answers.weight
    let isVaried = answers.contains { $0 != answers[0] }
    guard isVaried || first.map({ $0 != answers[0] }) == true else { return nil }
    if let copy = copy(of: pairs, answers, request, upTo: end), copy.cost <= evidence,
      isVaried || copy.isWhole
    {
      return copy
    }
    guard isVaried else { return nil }
    let numbers = pairs.count > 2 ? computed(from: pairs, answers, upTo: end, within: evidence) : []
    return numbers.min { $0.cost < $1.cost }
  }

  /// The bytes of the field as they are in all requests.
  private func copy(
    of pairs: [FramePair], _ answers: [[UInt8]], _ request: MessageLayout?, upTo end: Int
  ) -> Conversion? {
    let type = type.plain
    for (index, place) in (request?.places ?? []).enumerated() where place.type.hasValues(of: type) {
      if pairs.indices.allSatisfy({ place.bytes(in: pairs[$0].request) == answers[$0] }) {
        return Conversion(source: .field(index), type: type)
      }
    }
    guard let width, width > 0 else { return nil }
    for isReversed in width > 1 ? [false, true] : [false] {
      let sought = isReversed ? answers.map { $0.reversed() } : answers
      for offset in stride(from: 0, through: end - width, by: 1)
      where pairs.indices.allSatisfy({ pairs[$0].request[offset..<offset + width].elementsEqual(sought[$0]) })
      {
        return Conversion(source: .bytes(at: offset, isReversed: isReversed), type: type)
      }
    }
    guard case .integer(_, let order, let isSigned) = type,
      zip(pairs, answers).allSatisfy({ $0.request.count == order.number($1, isSigned: isSigned) })
    else { return nil }
    return Conversion(source: .size, type: type)
  }

  /// Numbers in the requests that are related to the number in the field.
  private func computed(
    from pairs: [FramePair], _ answers: [[UInt8]], upTo end: Int, within cost: Int
  ) -> [Conversion] {
    numberForms(of: answers).flatMap { form -> [Conversion] in
      let numbers = answers.compactMap { form.number(in: $0[...]) }
      guard numbers.count == answers.count else { return [] }
      return NumberForm.sources.flatMap { source -> [Conversion] in
        stride(from: 0, through: end - source.width, by: 1).compactMap { offset in
          let range = offset..<offset + source.width
          let relation = NumberRelation(
            of: { source.number(in: pairs[$0].request[range]) }, to: numbers, below: form.limit)
          guard let relation, source != form || relation != .equal else { return nil }
          let found = Conversion(source: .number(source, at: offset, relation, form), type: form.type)
          return found.cost <= cost ? found : nil
        }
      }
    }
  }

  /// The ways to read the field as a number.
  private func numberForms(of values: [[UInt8]]) -> [NumberForm] {
    guard let width, (1...4).contains(width) else { return [] }
    var forms: [NumberForm] = []
    if case .integer(_, let order, false) = type {
      forms = [.integer(width, order)]
    } else if case .bytes = type, meaning != .text, width != 3 {
      forms = (width > 1 ? ByteOrder.allCases : [.littleEndian]).map { .integer(width, $0) }
    }
    if width < 3 { forms.append(.digits(.bcd, width)) }
    forms.append(.digits(.decimal, width))
    if width % 2 == 0 {
      let isLower = values.contains { $0.contains { $0 > 0x60 } }
      forms.append(.digits(.hexadecimal(isLower: isLower), width))
    }
    return forms
  }
}

extension [[UInt8]] {
  /// How much values show that follow each other, in bits: small numbers and those that were there before show little.
  var weight: Int {
    var known: Set<[UInt8]> = []
    var (weight, last) = (0, [UInt8]?.none)
    for value in self where value != last {
      weight += known.insert(value).inserted ? value.weight : 2
      last = value
    }
    return weight
  }
}

extension [UInt8] {
  private var weight: Int {
    reduce(1) { weight, byte in
      switch byte {
      case 0: weight + 1
      case 1...3: weight + 2
      case 4...15, 0xFF: weight + 4
      default: weight + 8
      }
    }
  }
}
