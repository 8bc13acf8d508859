import BlueZLimits
import Definitions
import DeviceModel
import EventLoop
import TestSupport
import Testing

@testable import Transcripts

/// Runs the transcripts of the bundled definitions in memory.
@Suite struct BundledTranscriptTests {
  private static let library = Repository.peripherals + "/"

  /// Each transcript, with the definition that its name begins with.
  private static let all: [(transcript: String, definition: String)] = Repository.names(in: library).flatMap {
    folder in
    Repository.names(in: library + folder).filter { $0.hasSuffix(".transcript") }.map {
      ("\(library)\(folder)/\($0)", "\(library)\(folder)/\(folder).yaml")
    }
  }

  /// The transcripts that Tests/VM also runs on the air.
  private static let onTheAir = ["conversation", "greeting"].map { name in
    let path = Repository.path + "Tests/VM/definitions/" + name
    return (transcript: path + ".transcript", definition: path + ".yaml")
  }

  @Test(arguments: all + onTheAir)
  func `each transcript passes in memory`(transcript: String, definition: String) async throws {
    let (sections, device) = try sections(of: transcript, definition)
    for section in sections {
      try await run(section, of: device, on: { LoopbackTestBed { _ in BlueZLimits() } }, transcript)
    }
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
    let loaded = try #require(
      try DefinitionLoader.load(path: definition, bundled: DiskLibrary(folder: Self.library)).definition)
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
    let devices = Repository.names(in: Self.library).filter { !$0.contains(".") }
    #expect(devices.count >= 2)
    for device in devices {
      #expect(Self.all.contains { $0.definition.hasSuffix("/\(device).yaml") }, "\(device)")
    }
  }

  private struct Mistakes: Error {
    var text: String
  }
}
