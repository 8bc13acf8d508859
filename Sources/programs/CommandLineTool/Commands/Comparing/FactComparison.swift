import BlemuJSON
import Framing

/// Two devices side by side.
struct FactComparison {
  struct Row: Hashable {
    var section: String
    var place: String
    var aspect: String
    /// nil: the device does not have it.
    var left: String?
    var right: String?
    /// Whether one of the devices has nothing at the place.
    var isPlaceMissing = false

    var isSame: Bool { left == right }
  }

  /// In the order of the left device; what only the right one has follows what is before it there.
  private(set) var rows: [Row] = []

  init(_ left: DeviceFacts, _ right: DeviceFacts) {
    var others = Dictionary(right.facts.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
    rows = left.facts.filter { others[$0.key] != nil || !right.leavesOpen($0) }.map { fact in
      Row(
        section: fact.section, place: fact.place, aspect: fact.aspect, left: fact.text,
        right: others.removeValue(forKey: fact.key))
    }
    var before: Int?
    for fact in right.facts where others[fact.key] == nil || !left.leavesOpen(fact) {
      if others[fact.key] != nil {
        let index =
          place(of: fact, after: before)
        rows.insert(
          Row(section: fact.section, place: fact.place, aspect: fact.aspect, left: nil, right: fact.text),
          at: index)
        before = index
      } else {
        before = rows.firstIndex { $0.key == fact.key } ?? before
      }
    }
    notePlaces(left, right)
  }

  /// Adds rows at the end.
  mutating func add(_ more: [Row]) { rows += more }

  /// After what is before it in the other device, in its section.
  private func place(of fact: DeviceFacts.Fact, after before: Int?) -> Int {
    if let before, rows[before].section == fact.section { return before + 1 }
    return rows.firstIndex { DeviceFacts.rank(of: $0.section) >= DeviceFacts.rank(of: fact.section) }
      ?? rows.endIndex
  }

  /// Notes which places only one device has.
  private mutating func notePlaces(_ left: DeviceFacts, _ right: DeviceFacts) {
    let both = Set(left.facts.map(\.fullPlace)).intersection(right.facts.map(\.fullPlace))
    for index in rows.indices where !rows[index].place.isEmpty {
      rows[index].isPlaceMissing = !both.contains([rows[index].section, rows[index].place])
    }
  }

  var differences: [Row] { rows.filter { !$0.isSame } }

  /// A line for people for each difference, or for everything.
  func text(all: Bool, names: (String, String)) -> String {
    let shown = (all ? rows : differences.joined)
    guard !shown.isEmpty else { return "" }
    let heads = shown.map {
      "  " + [$0.place.shortened, $0.aspect].filter { !$0.isEmpty }.joined(separator: "  ")
    }
    let headWidth = min(heads.map(\.count).max() ?? 0, 52) + 2
    let width = min(max(shown.map { ($0.left ?? "").count }.max() ?? 0, names.0.count), 36) + 2
    var text = "".padded(to: headWidth) + "  " + names.0.padded(to: width) + names.1 + "\n"
    var section = ""
    for (row, head) in zip(shown, heads) {
      if row.section != section { text += "\(row.section)\n" }
      section = row.section
      text += Self.line(row, head, headWidth, width)
    }
    return text
  }

  /// Long texts stand below each other.
  private static func line(_ row: Row, _ head: String, _ headWidth: Int, _ width: Int) -> String {
    let (left, right) = (row.left ?? "-", row.right ?? "-")
    let mark = row.isSame ? "  " : "| "
    guard left.count + 2 > width || right.count > 40 || head.count + 2 > headWidth else {
      return head.padded(to: headWidth) + mark + left.padded(to: width) + right + "\n"
    }
    guard !row.isSame else { return head + "\n      \(left)\n" }
    return head + "\n    < \(left)\n    > \(right)\n"
  }

  var json: [JSONValue] {
    differences.map { row in
      [
        "section": .string(row.section), "place": .string(row.place), "aspect": .string(row.aspect),
        "a": row.left.map { .string($0) } ?? .null, "b": row.right.map { .string($0) } ?? .null,
      ]
    }
  }
}

extension [FactComparison.Row] {
  /// With one row for a place that only one device has.
  fileprivate var joined: Self {
    reduce(into: []) { rows, row in
      guard let last = rows.last, last.aspect.isEmpty, row.isOneSided, last.place == row.place,
        last.section == row.section
      else {
        return rows.append(row.isOneSided ? row.withoutAspect : row)
      }
      rows[rows.count - 1].left = last.left.map { "\($0), \(row.text)" }
      rows[rows.count - 1].right = last.right.map { "\($0), \(row.text)" }
    }
  }
}

extension FactComparison.Row {
  /// Whether only one device has the place.
  fileprivate var isOneSided: Bool { isPlaceMissing }
  fileprivate var text: String { "\(aspect) \(left ?? right ?? "")" }

  fileprivate var withoutAspect: Self {
    var row = self
    row.aspect = ""
    if left != nil { row.left = text } else { row.right = text }
    return row
  }
}

extension String {
  /// With the first digits of each UUID of 128 bits.
  fileprivate var shortened: String {
    split(separator: " ").map { word in
      word.utf8.count >= 36 ? "\(word.prefix(8))…\(word.dropFirst(36))" : String(word)
    }.joined(separator: " ")
  }
}

extension DeviceFacts.Fact {
  fileprivate var key: [String] { [section, place, aspect] }
  fileprivate var fullPlace: [String] { [section, place] }
}

extension FactComparison.Row {
  fileprivate var key: [String] { [section, place, aspect] }
}
