/// The text of a definition, divided into lines and words so that changes are likely to keep it valid.
struct MutableText {
  private var lines: [Line]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Line.init)
  }

  var text: String { lines.map(\.text).joined(separator: "\n") }

  /// A line, divided into words and the text between them.
  struct Line {
    var words: [String] = []

    init(_ text: some StringProtocol) {
      for character in text {
        if let last = words.indices.last, Self.isOfWord(character) == words[last].first.map(Self.isOfWord) {
          words[last].append(character)
        } else {
          words.append(String(character))
        }
      }
    }

    var text: String { words.joined() }
    /// The indices of the real words.
    var scalars: [Int] { words.indices.filter { words[$0].first.map(Self.isOfWord) ?? false } }

    private static func isOfWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "-_.$".contains(character)
    }
  }
}

// MARK: Changes

extension MutableText {
  /// Changes a line. `kind` selects the change: `w` replaces a word, `r` replaces it with any bytes, `d` deletes the
  /// line, `2` duplicates it, `s` swaps it with another, `i` inserts a line, `o` changes the indentation, `x` swaps two
  /// words, `k` deletes a word, `a` adds one.
  mutating func change(_ kind: UInt8, _ input: inout FuzzInput) {
    let line = input.number(below: 256) % lines.count
    switch kind {
    case UInt8(ascii: "w"): replaceWord(of: line, &input) { $0.element(ofMany: Self.words) ?? "" }
    case UInt8(ascii: "r"):
      replaceWord(of: line, &input) { String(decoding: $0.bytes($0.number(below: 16)), as: UTF8.self) }
    case UInt8(ascii: "d"): if lines.count > 1 { lines.remove(at: line) }
    case UInt8(ascii: "2"): lines.insert(lines[line], at: line)
    case UInt8(ascii: "s"): lines.swapAt(line, input.number(below: 256) % lines.count)
    case UInt8(ascii: "i"): lines.insert(Line(input.element(ofMany: Self.allLines) ?? ""), at: line)
    case UInt8(ascii: "o"): shift(line, by: input.number(below: 9) - 4)
    case UInt8(ascii: "x"): swapWords(of: line, input.number(below: 256) % lines.count, &input)
    case UInt8(ascii: "k"): replaceWord(of: line, &input) { _ in "" }
    case UInt8(ascii: "a"):
      let word = input.element(ofMany: Self.words) ?? ""
      lines[line].words.insert(word, at: input.number(below: lines[line].words.count + 1))
    default: change(Self.kinds[Int(kind) % Self.kinds.count], &input)
    }
  }

  private static let kinds = Array("wrd2siowxkaww".utf8)

  private mutating func replaceWord(
    of line: Int, _ input: inout FuzzInput, with word: (inout FuzzInput) -> String
  ) {
    guard let index = input.element(of: lines[line].scalars) else { return }
    lines[line].words[index] = word(&input)
  }

  private mutating func swapWords(of line: Int, _ other: Int, _ input: inout FuzzInput) {
    guard let a = input.element(of: lines[line].scalars), let b = input.element(of: lines[other].scalars)
    else {
      return
    }
    let word = lines[line].words[a]
    lines[line].words[a] = lines[other].words[b]
    lines[other].words[b] = word
  }

  private mutating func shift(_ line: Int, by columns: Int) {
    let text = lines[line].text
    let spaces = text.prefix { $0 == " " }.count
    lines[line] = Line(String(repeating: " ", count: max(0, spaces + columns)) + text.dropFirst(spaces))
  }
}

// MARK: Insertions

extension MutableText {
  private static let allLines =
    Subject.all.flatMap { $0.text.split(separator: "\n").map(String.init) } + actions

  private static let words: [String] = {
    let found = allLines.map { Line($0) }.flatMap { line in line.scalars.map { line.words[$0] } }
    return extremes + Set(found).sorted()
  }()

  /// Actions that bring a device to its limits.
  private static let actions = [
    "          - { repeat: 10000, do: { log: x } }", "          - { wait: 1ms }", "          - reset",
    "          - { start: tick, every: 1ms }", "          - { enter: idle }", "    do: reset",
    "  - { on: start, do: reset }",
  ]

  private static let extremes = [
    "-1", "0", "1", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "1e99", "4096",
    "65536",
    "1000000000000ms", "99999999min", "0ms", "{}", "[]", "~", "\"", "{", "}", "- ", ": ", "#", "&a", "*a",
    "|", ">",
    "{random(1, 9)}", "bytes", "text", "u64be", "(1, 99)", "a / 0", "nan", "inf",
    "x" + String(repeating: "y", count: 99),
  ]
}
