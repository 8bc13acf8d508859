import Definitions
import DeviceModel
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// Phones and links as people have reported them: each transcript in the folder `Phones` passes in memory.
@Suite struct PhoneTests {
  private static let folder = Repository.path + "Tests/TestBedsTests/Phones/"

  @Test(arguments: Repository.names(in: folder).filter { $0.hasSuffix(".transcript") })
  func `a device meets a phone as the real one does`(name: String) async throws {
    let text = try TextFile.read(Self.folder + name)
    let beside = "\(name.dropLast(".transcript".count)).yaml"
    let named = TranscriptParser.device(in: SourceText(name: name, text: text))
    let loaded = try DefinitionLoader.load(path: Self.folder + (named ?? beside), bundled: library)
    let definition = try #require(loaded.definition, "\(loaded.report)")
    let results = try await runInMemory(text, with: definition)
    #expect(!results.isEmpty)
    for result in results {
      guard let failure = result.failure else { continue }
      Issue.record(Comment(rawValue: FailureText.write(failure, of: result.title, in: name)))
    }
  }
}
