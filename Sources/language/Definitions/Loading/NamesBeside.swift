/// The names that the files next to a definition use: its face and its transcripts. Other checks report mistakes in them.
struct NamesBeside {
  private(set) var read: Set<String> = []
  private(set) var set: Set<String> = []

  init() {}

  init(_ files: DefinitionFiles, in scope: NameScope) {
    read = FaceNames.read(in: files.face, scope)
    for text in files.transcripts {
      for line in text.split(whereSeparator: \.isNewline) { add(line, scope) }
    }
  }

  /// Adds what a condition (`* level < 5`) reads, and what `set level=3` sets.
  private mutating func add(_ line: Substring, _ scope: NameScope) {
    let scalars = Array(line.unicodeScalars)
    if let condition = ConditionLine(scalars) {
      let text = String(scalars: scalars[condition.expression])
      let syntax = try? ExpressionParser.parse(text, isName: scope.isName)
      read.formUnion(syntax.map { $0.names + $0.calls } ?? [])
    }
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.first == "set" else { return }
    set.formUnion(words.compactMap { word in word.firstIndex(of: "=").map { String(word[..<$0]) } })
  }
}
