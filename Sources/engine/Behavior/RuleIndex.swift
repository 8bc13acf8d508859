import DeviceModel

/// Finds the rules that may take a frame without trying every rule.
///
/// It is a tree. Its root divides the rules by the length of their message; the nodes below it divide them repeatedly by the byte
/// that differs in most of them, so that only a few of many rules are tried on a frame.
struct RuleIndex: Sendable {
  /// Rules, or the branches that lead to them.
  private struct Node {
    /// The position of the byte that decides about the branch, or what stands for it.
    var position: Int
    /// Where the branches are in ``branches``; of a leaf: where its rules are in ``rules``.
    var range: Range<Int>
    /// The number of the first branch.
    var first = 0
    /// The node of the rules in which that byte is not fixed.
    var others = Self.none

    static let none = -1
    /// The frame's length decides.
    static let length = -1
    /// Nothing decides: it is a leaf.
    static let leaf = -2
  }

  private var nodes: [Node] = []
  private var branches: [Int32] = []
  private var rules: [Int] = []
  private var root = Node.none

  /// - Parameter rules: indices of rules with their messages, in the order of the file; nil: the rule takes any frame.
  init(_ rules: [(rule: Int, message: MessageTemplate?)]) {
    let entries = rules.map {
      Entry(rule: $0.rule, size: $0.message?.size, bytes: $0.message?.leadingBytes ?? [])
    }
    root = split(entries, at: Node.length, told: []) { $0.size.map { [$0] } }
  }

  /// The first rule after another in the order of the file that may take `frame`; nil: there is none.
  func candidate(for frame: [UInt8], after last: Int) -> Int? {
    let next = next(in: root, for: frame.span, after: last)
    return next == Int.max ? nil : next
  }

  private func next(in start: Int, for frame: Span<UInt8>, after last: Int) -> Int {
    var (node, next) = (start, Int.max)
    while node != Node.none {
      let (position, range, others) = (nodes[node].position, nodes[node].range, nodes[node].others)
      if position == Node.leaf { return min(next, rule(in: range, after: last)) }
      if position < frame.count {
        let value = position == Node.length ? frame.count : Int(frame[position])
        let branch = value - nodes[node].first
        if branch >= 0, branch < range.count {
          let inner = Int(branches[range.lowerBound + branch])
          if others == Node.none {
            node = inner
            continue
          }
          next = min(next, self.next(in: inner, for: frame, after: last))
        }
      }
      node = others
    }
    return next
  }

  /// The first rule of a leaf after another.
  private func rule(in range: Range<Int>, after last: Int) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if rules[middle] > last { high = middle } else { low = middle + 1 }
    }
    return low < range.upperBound ? rules[low] : Int.max
  }
}

// MARK: Making the tree

extension RuleIndex {
  private struct Entry {
    let rule: Int
    let size: Int?
    let bytes: [KnownBits]

    /// The byte at an index; nil if it has too many possible values.
    func pattern(at index: Int) -> KnownBits? {
      guard bytes.indices.contains(index), bytes[index].mask.nonzeroBitCount >= 7 else { return nil }
      return bytes[index]
    }
  }

  /// A group of at most this many rules is not divided.
  private static let fewest = 3
  /// Later bytes are not considered.
  private static let reach = 64

  /// - Parameter told: the positions that already divide them.
  private mutating func add(_ entries: [Entry], told: Set<Int>) -> Int {
    if entries.isEmpty { return Node.none }
    guard entries.count > Self.fewest, let position = Self.mostTelling(entries, told) else {
      nodes.append(Node(position: Node.leaf, range: rules.count..<rules.count + entries.count))
      rules += entries.map(\.rule)
      return nodes.count - 1
    }
    return split(entries, at: position, told: told.union([position])) {
      $0.pattern(at: position)?.bytes.map(Int.init)
    }
  }

  /// - Parameter values: the values at the position that a rule takes; nil: any.
  private mutating func split(
    _ entries: [Entry], at position: Int, told: Set<Int>, by values: (Entry) -> [Int]?
  ) -> Int {
    var (groups, others): ([Int: [Entry]], [Entry]) = ([:], [])
    for entry in entries {
      guard let values = values(entry) else {
        others.append(entry)
        continue
      }
      for value in values { groups[value, default: []].append(entry) }
    }
    guard let first = groups.keys.min(), let last = groups.keys.max() else { return add(others, told: told) }
    let range = branches.count..<branches.count + last - first + 1
    branches += range.map { _ in Int32(Node.none) }
    for (value, group) in groups.sorted(by: { $0.key < $1.key }) {
      branches[range.lowerBound + value - first] = Int32(add(group, told: told))
    }
    nodes.append(Node(position: position, range: range, first: first, others: add(others, told: told)))
    return nodes.count - 1
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
