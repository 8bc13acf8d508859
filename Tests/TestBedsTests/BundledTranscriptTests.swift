import BlueZLimits
import Definitions
import DeviceModel
import EventLoop
import Testing
import TestSupport
import Transcripts

@testable import TestBeds

/// Runs the transcripts of the bundled definitions in memory.
@Suite struct BundledTranscriptTests {
  /// Each transcript, with the definition that its name begins with.
  private static let all: [(transcript: String, definition: String)] = library.names.flatMap { name in
    let definition = library.path(of: name)!
    let folder = String(definition.dropLast("\(name).yaml".count))
    return Repository.names(in: folder).filter { $0.hasSuffix(".transcript") }
      .map { (folder + $0, definition) }
  }

  /// The transcripts that Tests/VM also runs on the air, the last one only with exact.
  private static let onTheAir = ["conversation", "faulty", "greeting", "given-address", "measuring"].map {
    name in
    let path = Repository.path + "Tests/VM/definitions/" + name
    return (transcript: path + ".transcript", definition: path + ".yaml")
  }

  /// A phone and a device that have lost their keys. Tests/Radio also plays it.
  private static let locked = (
    transcript: Repository.path + "Tests/Radio/definitions/locked.transcript",
    definition: Repository.path + "Tests/Radio/definitions/locked.yaml"
  )

  /// The cases of the GATT test specification, each with the definition that its name begins with.
  private static let specification = Repository.names(in: Repository.path + "Tests/Specification")
    .filter { $0.hasSuffix(".transcript") }.map { name in
      let path = Repository.path + "Tests/Specification/"
      let definition = name.prefix { $0 != "-" && $0 != "." }
      return (transcript: path + name, definition: "\(path)\(definition).yaml")
    }

  private static let inMemory = all + onTheAir + specification + [locked]

  @Test func `the table of the specification names each case with its transcripts`() throws {
    var places: [String: Set<String>] = [:]
    for file in Self.specification.map(\.transcript) where !file.contains("-protocol") {
      let name = file.split(separator: "/").last!.prefix { $0 != "." }
      for line in try TextFile.read(file).split(separator: "\n") where line.hasPrefix("== ") {
        places[String(line.split(separator: " ")[1]), default: []].insert(String(name))
      }
    }
    let rows = try TextFile.read(Repository.path + "Tests/Specification/README.md").split(separator: "\n")
      .filter { $0.hasPrefix("| GATT/") }.map {
        $0.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
      }
    #expect(Set(rows.map { $0[0] }).count == rows.count)
    for row in rows {
      let files = Set(row[2].split(separator: ", ").map(String.init))
      let isListed = files.isSubset(of: ["small", "large", "reversed", "errors", "secured", "multiple"])
      #expect(places[row[0]] == (isListed ? files : nil), "\(row[0])")
    }
    #expect(Set(places.keys).isSubset(of: rows.map { $0[0] }))
  }

  @Test(arguments: inMemory)
  func `each transcript passes in memory`(transcript: String, definition: String) async throws {
    let (sections, device) = try sections(of: transcript, definition)
    for section in sections {
      try await run(section, of: device, on: { LoopbackTestBed(limits: BlueZLimits()) }, transcript)
    }
  }

  @Test func `each transcript passes between two hosts in virtual time`() {
    let outcome = BuiltProgram(name: "virtual-air").run(Self.inMemory.map(\.transcript))
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  /// By default, every fifth.
  @Test func `each passes on controllers of Bluetooth 4.0`() {
    let files = Sample.some(of: Self.inMemory).map(\.transcript)
    let outcome = BuiltProgram(name: "virtual-air").run(["--version4"] + files)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  /// By default, those that are also run on the air.
  @Test(arguments: Sample.part([[]], of: [[], ["--version4"]]))
  func `a transcript takes the same virtual time in each run`(kind: [String]) {
    let files = Sample.part(Self.onTheAir, of: Self.inMemory).map(\.transcript)
    let outcomes = (0..<2).map { _ in BuiltProgram(name: "virtual-air").run(kind + files) }
    #expect(outcomes[0].output == outcomes[1].output)
    #expect(outcomes[0].output.split(separator: "\n").count > files.count, "\(outcomes[0].output)")
  }

  /// A slow or busy machine runs them like this on the air.
  @Test(arguments: all + onTheAir)
  func `each transcript for the air passes with a slow central`(
    transcript: String, definition: String
  ) async throws {
    let (sections, device) = try sections(of: transcript, definition)
    for section in sections where !section.isMemoryOnly {
      try await run(section, of: device, on: { SluggishTestBed() }, transcript)
    }
  }

  private func sections(
    of transcript: String, _ definition: String
  ) throws -> ([Transcript.Section], PeripheralDefinition) {
    let loaded = try #require(try readDefinition(at: definition).definition)
    let source = SourceText(name: transcript, text: try TextFile.read(transcript))
    let parsed = try TranscriptParser.parse(source, for: loaded).mapError { Mistakes(text: $0.report) }.get()
    return (parsed.sections, loaded)
  }

  @EventLoop private func run(
    _ section: Transcript.Section, of definition: PeripheralDefinition,
    on testBed: @EventLoop () -> any TestBed,
    _ transcript: String
  ) async throws {
    let result = try await SectionRunner(section, of: definition, on: testBed())
      .run(settings: definition.settings.map(\.initial))
    guard let failure = result.failure else { return }
    Issue.record(Comment(rawValue: FailureText.write(failure, of: section.title, in: transcript)))
  }

  @Test func `every bundled definition has a transcript`() {
    #expect(library.names.count >= 2)
    for device in library.names {
      #expect(Self.all.contains { $0.definition.hasSuffix("/\(device).yaml") }, "\(device)")
    }
  }

  private struct Mistakes: Error {
    var text: String
  }
}
