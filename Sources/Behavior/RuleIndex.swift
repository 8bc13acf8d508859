import Definitions

/// Finds the rules that may take a frame without asking every rule.
///
/// Rules are grouped by the length of their message and then by the byte that tells most of them apart, so
/// that a frame meets a handful of rules however many there are.
struct RuleIndex {
  private var bySize: [Int: Group] = [:]
  /// Those whose message has no fixed length.
  private var ofAnySize: Group

  /// - Parameter rules: indices of rules with their messages, in the order of the file.
  init(_ rules: [(rule: Int, message: MessageTemplate)]) {
    let sized = Dictionary(grouping: rules.filter { $0.message.size != nil }) { $0.message.size! }
    bySize = sized.mapValues(Group.init)
    ofAnySize = Group(rules.filter { $0.message.size == nil })
  }

  /// The rules that may take `frame`, in the order of the file.
  func candidates(for frame: [UInt8]) -> [Int] {
    let sized = bySize[frame.count]?.candidates(for: frame) ?? []
    let others = ofAnySize.candidates(for: frame)
    return others.isEmpty ? sized : sized.isEmpty ? others : (sized + others).sorted()
  }
}

extension RuleIndex {
  /// Rules split by one byte of their messages.
  private struct Group {
    private var position = 0
    private var byByte: [UInt8: [Int]] = [:]
    /// Those without a fixed byte at that position.
    private var others: [Int] = []

    init(_ rules: [(rule: Int, message: MessageTemplate)]) {
      let prefixes = rules.map { $0.message.fixedPrefix }
      position = Self.mostTelling(prefixes)
      for (rule, prefix) in zip(rules, prefixes)
      where !prefix.indices.contains(position) || prefix[position] == nil {
        others.append(rule.rule)
      }
      for (rule, prefix) in zip(rules, prefixes) where prefix.indices.contains(position) {
        if let byte = prefix[position] { byByte[byte, default: []].append(rule.rule) }
      }
      byByte = byByte.mapValues { ($0 + others).sorted() }
    }

    func candidates(for frame: [UInt8]) -> [Int] {
      guard frame.indices.contains(position) else { return others }
      return byByte[frame[position]] ?? others
    }

    /// The position at which the most messages differ.
    private static func mostTelling(_ prefixes: [[UInt8?]]) -> Int {
      let length = prefixes.map(\.count).max() ?? 0
      let distinct = (0..<length).map { position in
        Set(prefixes.compactMap { $0.indices.contains(position) ? $0[position] : nil }).count
      }
      return distinct.indices.max { distinct[$0] < distinct[$1] } ?? 0
    }
  }
}

extension MessageTemplate {
  /// The bytes at known positions: the byte where it is always the same, nil where it varies.
  fileprivate var fixedPrefix: [UInt8?] {
    var prefix: [UInt8?] = []
    for part in parts {
      guard let size = size(of: part) else { break }
      if case .literal(let bytes) = part {
        prefix += bytes
      } else {
        prefix += Array(repeating: nil, count: size)
      }
    }
    return prefix
  }
}
