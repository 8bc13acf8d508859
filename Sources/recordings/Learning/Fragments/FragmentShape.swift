import DeviceModel
import Framing

/// How the values of a stream say which fragment of a message they have: what comes before the data of each.
package struct FragmentShape: Sendable {
  /// What a field of a header says, by its name in the header.
  enum Role: String {
    /// The number of the fragment.
    case index
    /// How many fragments the message has.
    case total
    /// How many fragments follow.
    case left
    /// 1 for the fragments that are it, otherwise 0.
    case first, last, more
    /// How many bytes the message has.
    case length

    /// Whether it gives its fragment a place among the others.
    var counts: Bool { [.index, .total, .left, .length].contains(self) }
  }

  /// The headers of first fragments, for longer and longer messages.
  let starts: [Header]
  /// The header of the other fragments; nil: they have that of the first.
  let rest: Header?
  /// The number of the first fragment that has one.
  let base: Int
  /// What `total` or `length` has more than there are fragments, or bytes.
  let adjust: Int
  /// Whether only the place in the stream tells the other fragments from a first one.
  let isUnmarked: Bool

  /// The bytes before the data of a fragment.
  struct Header: Sendable {
    /// As a message has it, with its data.
    let text: String
    private let message: MessageTemplate
    private let roles: [Role?]
    private let bits: [Int]
    /// Of its constants, without those that all values have.
    private let constantBits: Int
    let size: Int

    /// - Parameter common: bytes that all values begin with.
    init(_ words: String, after common: [UInt8]) {
      text = (common.isEmpty ? "" : HexText.format(common) + " ") + words + " {data: bytes}"
      do { message = try MessageTemplate(name: "", template: text, form: .bytes) } catch {
        preconditionFailure("'\(text)' is no template: \(error)")
      }
      roles = message.fields.map { Role(rawValue: $0.name) }
      bits = roles.map { role in role.map { Self.bits(of: $0, in: words) } ?? 0 }
      size = message.minimumSize
      constantBits = 8 * (size - common.count) - bits.reduce(0, +)
    }

    /// `u16be` has 16, and `index: 7` has 7.
    private static func bits(of role: Role, in words: String) -> Int {
      guard let type = words.rest(after: "\(role.rawValue): ") else { return 0 }
      return Int(type.drop { $0 == "u" }.prefix(while: \.isWholeNumber)) ?? 0
    }

    func bits(of role: Role) -> Int? { roles.firstIndex(of: role).map { bits[$0] } }

    func has(_ isMeant: (Role) -> Bool) -> Bool { roles.contains { $0.map(isMeant) == true } }

    /// nil: the value has another header, or no data.
    fileprivate func read(_ value: [UInt8]) -> (
      numbers: [(role: Role, number: Int)], data: ArraySlice<UInt8>
    )? {
      guard value.count > size, let values = message.parse(value) else { return nil }
      let numbers = zip(roles, values).compactMap { role, value -> (role: Role, number: Int)? in
        guard let role, case .integer(let number) = value else { return nil }
        return (role, Int(number))
      }
      return (numbers, value[size...])
    }

    /// How many bits of a fragment are as its place demands.
    fileprivate func evidence(isFirst: Bool) -> Int {
      zip(roles, bits).reduce(constantBits) { sum, part in
        switch part.0 {
        case .total, .left: sum + (isFirst ? 0 : part.1)
        case .length: sum + min(part.1, 12)
        default: sum + part.1
        }
      }
    }
  }
}

// MARK: The shapes

extension FragmentShape {
  private static let numbered = [
    "{index: u8} {total: u8}", "{total: u8} {index: u8}", "{index: u16be} {total: u16be}",
    "{total: u16be} {index: u16be}", "{index: u16le} {total: u16le}", "{total: u16le} {index: u16le}",
    "{bits(index: 4, total: 4)}", "{bits(total: 4, index: 4)}",
  ]
  private static let flagged = [
    "{bits(last: 1, index: 7)}", "{bits(more: 1, index: 7)}", "{bits(index: 7, last: 1)}",
    "{bits(index: 7, more: 1)}", "{bits(first: 1, last: 1, index: 6)}", "{bits(last: 1, first: 1, index: 6)}",
    "{index: u8} {last: u8}", "{last: u8} {index: u8}", "{index: u8} {more: u8}", "{more: u8} {index: u8}",
    "{left: u8}", "{index: u8} {left: u8}", "{bits(0: 6, first: 1, last: 1)}",
    "{bits(0: 6, last: 1, first: 1)}", "{bits(first: 1, last: 1, 0: 6)}", "{bits(last: 1, first: 1, 0: 6)}",
    "{last: u8}", "{more: u8}",
  ]
  private static let lengths = ["{length: u16be}", "{length: u16le}", "{length: u8}"]
  /// GoPro's: 5 or 13 bits after their kind, or two more bytes.
  private static let growing = [
    "{bits(0: 3, length: 5)}", "{bits(1: 3, length: 13)}", "{bits(2: 3, 0: 5)} {length: u16be}",
  ]

  static let plain = all(after: [])

  /// All that may be, the likeliest first.
  ///
  /// - Parameter common: bytes that all values begin with.
  static func all(after common: [UInt8]) -> [FragmentShape] {
    func shapes(_ starts: [String], _ rest: String?, bases: [Int], adjusts: [Int], unmarked: Bool = false)
      -> [FragmentShape]
    {
      let (starts, rest) = (starts.map { Header($0, after: common) }, rest.map { Header($0, after: common) })
      return bases.flatMap { base in
        adjusts.map {
          FragmentShape(starts: starts, rest: rest, base: base, adjust: $0, isUnmarked: unmarked)
        }
      }
    }
    let near = [0, -1, 1, -2, 2]
    var all = numbered.flatMap { shapes([$0], nil, bases: [0, 1], adjusts: [0, -1]) }
    all += flagged.flatMap { shapes([$0], nil, bases: [0, 1], adjusts: [0]) }
    for rest in ["{bits(1: 1, 0: 3, index: 4)}", "80"] {
      all += shapes(growing, rest, bases: [0], adjusts: [0])
    }
    for length in lengths {
      all += shapes(["00 \(length)"], "{index: u8}", bases: [1], adjusts: near)
      all += shapes(["01 \(length)"], "{index: u8}", bases: [2], adjusts: near)
      all += shapes([length], "{index: u8}", bases: [0, 1], adjusts: near, unmarked: true)
    }
    return all
  }
}

// MARK: Reading

/// Joins the fragments of one message after the other.
struct FragmentReader {
  private let shape: FragmentShape
  /// Of the message so far.
  private(set) var data: [UInt8] = []
  private(set) var count = 0
  /// The number of the header that the message began with.
  private(set) var start = 0
  /// What its fragments have told; for `left`, the last.
  private var known: [FragmentShape.Role: Int] = [:]
  /// The header of the last fragment, and how many of its bits are as they must be.
  private(set) var header: [UInt8] = []
  private(set) var evidence = 0

  init(_ shape: FragmentShape) { self.shape = shape }

  /// Takes a fragment.
  ///
  /// - Returns: whether it ends the message; nil: it is not the next fragment, and the reader is of no use any more.
  mutating func take(_ value: [UInt8]) -> Bool? {
    let isFirst = count == 0
    let headers = isFirst ? shape.starts : [shape.rest ?? shape.starts[0]]
    guard let place = headers.firstIndex(where: { $0.read(value) != nil }),
      let (numbers, part) = headers[place].read(value)
    else { return nil }
    if isFirst { start = place }
    let number = shape.base + (shape.rest == nil || isFirst ? count : count - 1)
    data += part
    count += 1
    header = Array(value.prefix(part.startIndex))
    evidence = headers[place].evidence(isFirst: isFirst)
    var ends: Set<Bool> = []
    for (role, value) in numbers {
      switch role {
      case .index: guard value == number % (1 << (headers[place].bits(of: .index) ?? 0)) else { return nil }
      case .first: guard value == (isFirst ? 1 : 0) else { return nil }
      case .last, .more:
        guard value <= 1 else { return nil }
        ends.insert((value == 1) == (role == .last))
      case .left:
        guard known[.left].map({ $0 - 1 == value }) ?? true else { return nil }
        ends.insert(value == 0)
      case .total: guard known[.total].map({ $0 == value }) ?? true else { return nil }
      case .length: break
      }
      known[role] = value
    }
    for (role, reached) in [(FragmentShape.Role.total, count), (.length, data.count)] {
      guard let goal = known[role].map({ $0 - shape.adjust }) else { continue }
      guard reached <= goal else { return nil }
      ends.insert(reached == goal)
    }
    return ends.count == 1 ? ends.first : nil
  }
}
