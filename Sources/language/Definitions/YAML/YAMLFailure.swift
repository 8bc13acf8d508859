import Framing

/// The author's probable mistake where libyaml stops. libyaml notices late, and describes its own grammar.
struct YAMLFailure {
  /// libyaml's description of the error.
  let problem: String
  /// Its description of the part that it was reading, and where that begins.
  let context: String?
  let begun: SourcePosition
  /// Where it noticed.
  let noticed: SourcePosition
  /// The text in quotes just before, if any.
  let quotation: SourceRange?
  let source: SourceText

  /// The mistake and its place; nil if only libyaml's description is known.
  var explanation: (Mistake, SourcePosition)? {
    if isIndentedByTab { return nil }
    return ofQuotes ?? ofFlow ?? ofCharacter ?? ofKey ?? ofColumn
  }

  private var line: String { source.line(noticed.line) }

  /// The line up to the place.
  private var before: String { String(scalars: line.unicodeScalars.prefix(noticed.column - 1)) }

  private var isIndentedByTab: Bool {
    problem.hasPart("tab character") || line.prefix { $0 == " " || $0 == "\t" }.contains("\t")
  }

  private func character(at place: SourcePosition) -> Character? {
    source.line(place.line).unicodeScalars.dropFirst(place.column - 1).first.map(Character.init)
  }

  private func indentation(of line: Int) -> Int { source.line(line).prefix { $0 == " " }.count }
}

// MARK: Quotes and brackets

extension YAMLFailure {
  private var ofQuotes: (Mistake, SourcePosition)? {
    if context == "while scanning a quoted scalar" { return (.openQuote(endLine: nil), begun) }
    guard let quotation else { return nil }
    let (start, end) = (quotation.start, quotation.end)
    if start.line < end.line, end.line == noticed.line { return (.openQuote(endLine: end.line), start) }
    guard start.line == end.line, end.line == noticed.line else { return nil }
    if character(at: noticed) == "+" { return (.joinedTexts, noticed) }
    return end == noticed ? (.quoteInQuotes, noticed) : nil
  }

  /// In `{ … }` and `[ … ]`.
  private var ofFlow: (Mistake, SourcePosition)? {
    guard context == "while parsing a flow mapping" || context == "while parsing a flow sequence",
      let bracket = character(at: begun)
    else { return nil }
    let found = character(at: noticed)
    if let found, found == "}" || found == "]" { return (.wrongBracket(bracket, closedBy: found), noticed) }
    let isElsewhere =
      noticed.line > begun.line && indentation(of: noticed.line) <= indentation(of: begun.line)
    if isElsewhere || line.trimmed.isEmpty { return (.openBracket(bracket), begun) }
    if found == "[" { return ofIndex }
    return found == ":" ? (.colonInText, noticed) : nil
  }

  /// An expression such as `data[0] > 1`, which has no quotes.
  private var ofIndex: (Mistake, SourcePosition)? {
    let scalars = Array(line.unicodeScalars)
    let name = { (scalar: Unicode.Scalar) in
      scalar.properties.isAlphabetic || "0123456789-)".unicodeScalars.contains(scalar)
    }
    guard
      let index = scalars.indices.dropFirst().first(where: { scalars[$0] == "[" && name(scalars[$0 - 1]) })
    else { return nil }
    let start =
      scalars[..<index].lastIndex { $0 == " " || $0 == "," || $0 == ":" || $0 == "{" }.map { $0 + 1 } ?? 0
    let text = String(scalars: scalars[start...].prefix { $0 != "," && $0 != "}" }).trimmed
    return (.unquotedIndex(text), SourcePosition(line: noticed.line, column: start + 1))
  }

  private var ofCharacter: (Mistake, SourcePosition)? {
    guard problem == "found character that cannot start any token", let found = character(at: noticed),
      !"@`%".contains(found)
    else { return nil }
    return ofIndex
  }
}

// MARK: Keys and columns

extension YAMLFailure {
  private var ofKey: (Mistake, SourcePosition)? {
    guard problem == "mapping values are not allowed in this context" else { return nil }
    if let missing = missingSpace { return missing }
    if let brace = before.firstIndex(of: "{") {
      let key = before[..<brace].lastIndex(of: ":").map { before[...$0].count } ?? 0
      return (.unquotedTemplate(line.dropFirst(key).trimmed), noticed)
    }
    let isFirst = !before.trimmed.isEmpty && Identifier.isValid(before.trimmed)
    return isFirst ? (.otherColumn(isItem: false), firstColumn) : (.colonInText, noticed)
  }

  /// `name:Lamp` in the line before, which YAML reads as a text.
  private var missingSpace: (Mistake, SourcePosition)? {
    guard let number = (1..<noticed.line).last(where: { !source.line($0).trimmed.isEmpty }) else {
      return nil
    }
    let text = source.line(number)
    let start = text.prefix { $0 == " " || $0 == "-" }.count
    let parts = text.dropFirst(start).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Identifier.isValid(String(parts[0])), let first = parts[1].first,
      !first.isWhitespace, first != "/"
    else { return nil }
    return (
      .noSpaceAfterColon(String(parts[0]), String(parts[1])), SourcePosition(line: number, column: start + 1)
    )
  }

  /// A line that begins in the wrong column.
  private var ofColumn: (Mistake, SourcePosition)? {
    guard problem == "did not find expected key" || problem == "did not find expected '-' indicator",
      before.trimmed.isEmpty
    else { return nil }
    let isItem = line.trimmed.hasPrefix("- ")
    if !isItem, noticed.column == begun.column, begun.column > 1 { return (.keyBelowList, noticed) }
    return noticed.column == begun.column ? nil : (.otherColumn(isItem: isItem), noticed)
  }

  private var firstColumn: SourcePosition {
    SourcePosition(line: noticed.line, column: indentation(of: noticed.line) + 1)
  }
}
