import Behavior
import Definitions
import DeviceModel
import Framing

/// Reads a transcript file and reports every mistake in it.
package struct TranscriptParser {
  private let definition: PeripheralDefinition
  private let source: SourceText
  private let log = DiagnosticLog()
  private var sections: [Transcript.Section] = []
  /// The lines before the first section, which apply to every section.
  private var head: Transcript.Section
  private var checker: SectionChecker
  private var isHead = true
  /// Whether a line of the section has a mistake. Later lines may fit once it is corrected, so they are not checked.
  private var isBroken = false
  /// The mistakes in the order of the section's lines, each with its first line and the number of its lines.
  private var misplaced: [(mistake: Mistake, central: String?, line: Int, count: Int)] = []

  /// Reads a text with the names of `definition`.
  package static func parse(
    _ source: SourceText, for definition: PeripheralDefinition
  ) -> Result<Transcript, TranscriptMistakes> {
    var parser = TranscriptParser(source, definition)
    parser.parse()
    guard parser.log.hasErrors else {
      return .success(Transcript(source: source, sections: parser.sections))
    }
    return .failure(TranscriptMistakes(source: source, diagnostics: parser.log.sorted))
  }

  /// All mistakes in a text.
  package static func mistakes(in source: SourceText, for definition: PeripheralDefinition)
    -> TranscriptMistakes
  {
    switch parse(source, for: definition) {
    case .success: TranscriptMistakes(source: source, diagnostics: [])
    case .failure(let mistakes): mistakes
    }
  }

  /// The definition that a `device` line names.
  package static func device(in source: SourceText) -> String? {
    for number in 1...source.lineCount {
      let line = source.line(number)
      guard line.hasPart("device"), let tokens = try? Lexer.tokens(of: line, line: number) else { continue }
      if tokens.count == 2, tokens[0].word == "device" { return tokens[1].text }
    }
    return nil
  }

  private init(_ source: SourceText, _ definition: PeripheralDefinition) {
    self.source = source
    self.definition = definition
    head = Transcript.Section(title: "", line: 1)
    checker = SectionChecker(definition)
  }

  /// The largest transcript, in bytes.
  static let maximumSize = 1 << 20

  private mutating func parse() {
    guard source.text.utf8.count <= Self.maximumSize else {
      let mistake = Mistake.tooLarge(bytes: source.text.utf8.count, limit: Self.maximumSize)
      return log.error(mistake, at: SourceRange(line: 1, column: 1))
    }
    let parser = LineParser(definition)
    for number in 1...source.lineCount where !log.isClosed {
      do {
        take(try parser.parse(source.line(number), line: number), number)
      } catch {
        log.report(error)
        isBroken = true
      }
    }
    reportMisplaced()
    if isHead, !head.steps.isEmpty { sections = [named(head)] }
    if sections.isEmpty, !log.hasErrors {
      log.error(.empty, at: SourceRange(line: 1, column: 1))
    }
  }

  /// A file without titles is one section, named after the file.
  private func named(_ section: Transcript.Section) -> Transcript.Section {
    var section = section
    let name = source.name.split(separator: "/").last ?? ""
    section.title = String(name.hasSuffix(".transcript") ? name.dropLast(".transcript".count) : name)
    return section
  }

  private mutating func take(_ line: TranscriptLine, _ number: Int) {
    switch line {
    case .blank: break
    case .section(let title): begin(title, number)
    case .device:
      if !isHead || checker.hasBegun { report(.deviceInSection, number) }
    case .set(let assignments, let step):
      if checker.hasBegun { take(step) } else { configure(assignments, number) }
    case .seed(let seed):
      guard canConfigure("seed", number) else { return }
      change { $0.seed = seed }
    case .clock(let time):
      guard canConfigure("clock", number) else { return }
      change { $0.clock = time }
    case .memoryOnly:
      guard canConfigure("memory-only", number) else { return }
      change { $0.isMemoryOnly = true }
    case .paced:
      guard canConfigure("paced", number) else { return }
      change { $0.paces.insert(.wire) }
    case .linkTime:
      guard canConfigure("link-time", number) else { return }
      change { $0.paces.insert(.link) }
    case .step(let step): take(step)
    }
  }

  private mutating func begin(_ title: String, _ number: Int) {
    reportMisplaced()
    if let first = head.steps.first { report(.beforeFirstSection, first.line) }
    (isHead, isBroken) = (false, false)
    head.steps = []
    var section = head
    (section.title, section.line) = (title, number)
    sections.append(section)
    checker = SectionChecker(definition)
  }

  private mutating func change(_ body: (inout Transcript.Section) -> Void) {
    if isHead { body(&head) } else { body(&sections[sections.count - 1]) }
  }

  private mutating func take(_ step: Step) {
    if let mistake = checker.take(step), !isBroken { note(mistake, of: step) }
    change {
      if step.isOfMemory { $0.isMemoryOnly = true }
      $0.steps.append(step)
    }
  }

  /// Gives settings the values that the device starts with.
  private mutating func configure(_ assignments: [ControlEvent.Assignment], _ number: Int) {
    for assignment in assignments {
      switch assignment.slot {
      case .setting(let index): change { $0.settings[index] = assignment.value }
      case .variable(let index): report(.earlyVariable(definition.variables[index].name), number)
      }
    }
  }

  private func canConfigure(_ word: String, _ number: Int) -> Bool {
    guard checker.hasBegun else { return true }
    report(.late(word: word), number)
    return false
  }

  /// Notes a line that does not fit those before it. Lines of a central for which the same line is missing are one mistake.
  private mutating func note(_ mistake: Mistake, of step: Step) {
    let index = misplaced.firstIndex { $0.mistake == mistake && $0.central == step.central }
    if let index {
      misplaced[index].count += 1
    } else {
      misplaced.append((mistake, step.central, step.line, 1))
    }
  }

  /// Reports the mistakes of a section.
  private mutating func reportMisplaced() {
    for (mistake, _, line, count) in misplaced { report(mistake.inLines(count), line) }
    misplaced = []
  }

  /// Reports a line that is correct but in the wrong place.
  private func report(_ mistake: Mistake, _ number: Int) {
    let tokens = (try? Lexer.tokens(of: source.line(number), line: number)) ?? []
    log.error(mistake, at: SourceRange(line: number, Words(tokens, line: number).range))
  }
}

/// The mistakes in a transcript.
package struct TranscriptMistakes: Error, Sendable {
  package let source: SourceText
  package let diagnostics: [Diagnostic]

  /// The mistakes as a person reads them.
  package var report: String { report(.plain) }

  package func report(_ style: TextStyle) -> String {
    DiagnosticRenderer([source], style).render(diagnostics)
  }

  /// For programs.
  package var json: String { DiagnosticRenderer([source]).json(diagnostics) }
}
