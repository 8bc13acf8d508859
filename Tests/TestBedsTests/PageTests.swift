import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import TestBeds
import TestSupport
import Testing
import Transcripts

/// The transcripts that pages show, and the names that the chapters of the language list.
@Suite struct PageTests {
  /// A transcript of a page, and the definition that it is about: the bundled one that its line `device` names, otherwise the
  /// last one that the page has shown, otherwise the one in the page's folder.
  struct Example: CustomStringConvertible, Sendable {
    let block: Page.Block
    let definition: Page.Block?

    var description: String { block.description }
  }

  static let examples = examples { $0.language == "transcript" }

  /// Sessions of `blemu play`: what a person types begins at the left.
  static let sessions = examples { $0.language == "text" && $0.text.hasPrefix("connect") }

  private static func examples(where isMeant: (Page.Block) -> Bool) -> [Example] {
    Page.all.flatMap { page -> [Example] in
      var definition: Page.Block?
      return page.blocks.compactMap { block in
        if block.isDefinition { definition = block }
        return isMeant(block) ? Example(block: block, definition: definition) : nil
      }
    }
  }

  private func define(_ example: Example) throws -> PeripheralDefinition {
    let source = SourceText(name: example.block.page, text: example.block.text)
    if let name = TranscriptParser.device(in: source) { return try bundled(name) }
    guard let shown = example.definition else {
      return try bundled(String(example.block.page.split(separator: "/").dropLast().last ?? ""))
    }
    let file = DefinitionFile(name: "device.yaml", text: shown.text, folder: MemoryFolder(files: [:]))
    let loaded = DefinitionLoader.load(file, bundled: library)
    return try #require(loaded.definition, "\(shown): \(loaded.report)")
  }

  @Test func `the pages have transcripts`() {
    #expect(Self.examples.count >= 7)
    #expect(Self.examples.count { $0.block.page.hasPrefix("Peripherals/language/") } >= 5)
    #expect(!Self.sessions.isEmpty)
  }

  @Test(arguments: examples)
  func `the device passes the transcript that a page shows`(example: Example) async throws {
    #expect(try await failure(of: example.block.text, with: define(example)) == nil)
  }

  @Test(arguments: sessions)
  @EventLoop func `a session of 'blemu play' goes as a page shows it`(session: Example) async throws {
    let definition = try played(session)
    let player = Player(definition, settings: definition.settings.map(\.initial))
    _ = try await player.start()
    var shown: [String] = []
    for line in session.block.text.split(separator: "\n") where !line.hasPrefix(" ") {
      shown += [String(line)] + (await player.take(String(line)))
    }
    await player.stop()
    #expect(shown.map { $0 + "\n" }.joined() == session.block.text)
  }

  /// The device of the last `blemu play` before a session: a bundled one, or the one that the page shows.
  private func played(_ session: Example) throws -> PeripheralDefinition {
    let lines = try Page(session.block.page).text.split(separator: "\n", omittingEmptySubsequences: false)
    let names = lines.prefix(session.block.line).compactMap {
      $0.firstMatch(of: /blemu play ([a-z0-9-]+)/)?.1
    }
    let name = names.last.map(String.init) ?? ""
    return try library.path(of: name) == nil ? define(session) : bundled(name)
  }

  private static let report = "FAILED  0 of 1  lamp.transcript\n\n"

  /// The transcripts of which a page shows the report where the lamp should have answered otherwise.
  private static let failing = examples.filter { example in
    Page.all.contains { $0.path == example.block.page && $0.text.contains(report) }
  }

  @Test func `a page shows a failure report`() { #expect(Self.failing.count >= 1) }

  @Test(arguments: failing)
  func `the failure report on a page is the real one`(example: Example) async throws {
    let wrong = example.block.text.replacing("< switch  turn state=1", with: "< switch  turn state=0")
    let result = try #require(try await runInMemory(wrong, with: define(example)).first)
    let text = FailureText.write(try #require(result.failure), of: result.title, in: "lamp.transcript")
    #expect(try Page(example.block.page).text.contains(Self.report + text))
  }
}

extension PageTests {
  private static let reference = Page.language.map(\.text).joined(separator: "\n")

  @Test func `the reference names all reasons why pairing fails`() {
    #expect(PairingFailure.allNames.filter { !Self.reference.contains("`\($0)`") } == [])
  }

  @Test func `the reference names all ATT errors`() {
    let cells = Self.reference.split(separator: "\n").filter { $0.hasPrefix("| 0x") }.flatMap {
      $0.split(separator: "|").map { $0.trimmingPrefix(" ").prefix { $0 != " " } }.filter { !$0.isEmpty }
    }
    let known = ATTError.allNames.map { name in
      "0x\(ATTError(named: name)!.rawValue.hexadecimal(digits: 2)) `\(name)`"
    }
    let named = stride(from: 0, to: cells.count, by: 2).map { "\(cells[$0]) \(cells[$0 + 1])" }
    #expect(named.sorted() == known.sorted())
  }

  @Test func `the reference names all reasons to disconnect`() {
    let names = HCIError.reasonsToDisconnect.map { "`\($0.name)` (\($0.rawValue.hexadecimal(digits: 2)))" }
    #expect(names.filter { !Self.reference.contains($0) } == [])
  }
}
