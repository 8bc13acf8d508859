import Definitions
import TestSupport
import Testing

@testable import Transcripts

/// What the READMEs show of transcripts is true.
@Suite struct ReadmeTests {
  /// What stands between "```LANGUAGE" and "```", each time.
  private static func blocks(_ language: String, in file: String) throws -> [String] {
    let text = try TextFile.read(Repository.path + file)
    return text.split(separator: "\n```\(language)\n", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix(upTo: $0.firstRange(of: "\n```")?.lowerBound ?? $0.endIndex))
    }
  }

  @Test func `the lamp is as its transcript says`() async throws {
    let lamp = define(try #require(try Self.blocks("yaml", in: "README.md").first))
    let transcript = try #require(try Self.blocks("transcript", in: "README.md").first)
    #expect(try await failure(of: transcript, with: lamp) == nil)
  }

  @Test func `the failure that is shown is what a person sees`() async throws {
    let lamp = define(try #require(try Self.blocks("yaml", in: "README.md").first))
    let transcript = try #require(try Self.blocks("transcript", in: "README.md").first)
    let wrong = transcript.replacing("< switch  turn state=1", with: "< switch  turn state=0")
    let result = try #require(try await runInMemory(wrong, with: lamp).first)
    let text = FailureText.write(try #require(result.failure), of: result.title, in: "lamp.transcript")
    #expect(
      try TextFile.read(Repository.path + "README.md").contains("FAILED  0 of 1  lamp.transcript\n\n" + text))
  }

  @Test func `the reference's example is true of the bracelet`() async throws {
    let path = Repository.path + "Peripherals/bracelet/bracelet.yaml"
    let bracelet = try #require(try DefinitionLoader.load(path: path).definition)
    let transcript = try #require(try Self.blocks("transcript", in: "Peripherals/README.md").first)
    #expect(try await failure(of: transcript, with: bracelet) == nil)
  }
}
