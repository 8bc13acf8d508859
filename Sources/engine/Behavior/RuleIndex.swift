import DeviceModel

/// Finds the rules that may take a frame without trying every rule.
///
/// Rules are grouped by the length of their message, then repeatedly by the byte that differs in most of them, so
/// that only a few of many rules are tried on a frame.
struct RuleIndex: Sendable {
  private var bySize: [Int: Group] = [:]
  /// The rules whose message has no fixed length.
  private var ofAnySize: Group

  /// - Parameter rules: indices of rules with their messages, in the order of the file.
  init(_ rules: [(rule: Int, message: MessageTemplate)]) {
    let entries = rules.map {
      (size: $0.message.size, entry: Entry(rule: $0.rule, bytes: $0.message.leadingBytes))
    }
    let sized = Dictionary(grouping: entries.filter { $0.size != nil }) { $0.size! }
    bySize = sized.mapValues { Group($0.map(\.entry)) }
    ofAnySize = Group(entries.filter { $0.size == nil }.map(\.entry))
  }

  /// The rules that may take `frame`, in the order of the file.
  func candidates(for frame: [UInt8]) -> [Int] {
    if bySize.isEmpty, case .few(let few) = ofAnySize { return few }
    var candidates: [Int] = []
    bySize[frame.count]?.collect(for: frame, into: &candidates)
    ofAnySize.collect(for: frame, into: &candidates)
    return candidates.count > 1 ? candidates.sorted() : candidates
  }
}

extension RuleIndex {
  private struct Entry {
    let rule: Int
    let bytes: [KnownBits]

    /// The byte at an index; nil if it has too many possible values.
    func pattern(at index: Int) -> KnownBits? {
      guard bytes.indices.contains(index), bytes[index].mask.nonzeroBitCount >= 7 else { return nil }
      return bytes[index]
    }
  }

  /// Rules split by one byte of their messages.
  private indirect enum Group: Sendable {
    case few([Int])
    /// By the byte at a position; in `others` that byte is not fixed.
    case split(at: Int, [UInt8: Group], others: Group)

    /// A group of at most this many rules is not split.
    private static let fewest = 3
    /// Later bytes are not considered.
    private static let reach = 64

    /// - Parameter told: the positions that are already used.
    init(_ entries: [Entry], told: Set<Int> = []) {
      guard entries.count > Self.fewest, let position = Self.mostTelling(entries, told) else {
        self = .few(entries.map(\.rule))
        return
      }
      var byByte: [UInt8: [Entry]] = [:]
      for entry in entries {
        for byte in entry.pattern(at: position)?.bytes ?? [] { byByte[byte, default: []].append(entry) }
      }
      let told = told.union([position])
      let others = entries.filter { $0.pattern(at: position) == nil }
      self = .split(
        at: position, byByte.mapValues { Group($0, told: told) }, others: Group(others, told: told))
    }

    func collect(for frame: [UInt8], into rules: inout [Int]) {
      switch self {
      case .few(let few): rules += few
      case .split(let position, let byByte, let others):
        if frame.indices.contains(position) { byByte[frame[position]]?.collect(for: frame, into: &rules) }
        others.collect(for: frame, into: &rules)
      }
    }

    /// The position at which most messages differ; nil if there is none.
    private static func mostTelling(_ entries: [Entry], _ told: Set<Int>) -> Int? {
      let length = min(entries.map(\.bytes.count).max() ?? 0, reach)
      let distinct = (0..<length).map { position in
        told.contains(position) ? 0 : Set(entries.compactMap { $0.pattern(at: position) }).count
      }
      let best = distinct.indices.max { distinct[$0] < distinct[$1] }
      return best.flatMap { distinct[$0] > 1 ? $0 : nil }
    }
  }
}
