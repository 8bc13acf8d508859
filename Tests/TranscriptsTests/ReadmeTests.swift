import Bluetooth
import Definitions
import TestSupport
import Testing

@testable import Transcripts

/// Checks the transcripts that the READMEs show.
@Suite struct ReadmeTests {
  /// The code blocks of a language.
  private static func blocks(_ language: String, in file: String) throws -> [String] {
    let text = try TextFile.read(Repository.path + file)
    return text.split(separator: "\n```\(language)\n", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix(upTo: $0.firstRange(of: "\n```")?.lowerBound ?? $0.endIndex))
    }
  }

  @Test func `the lamp passes its transcript`() async throws {
    let lamp = try define(#require(try Self.blocks("yaml", in: "README.md").first))
    let transcript = try #require(try Self.blocks("transcript", in: "README.md").first)
    #expect(try await failure(of: transcript, with: lamp) == nil)
  }

  @Test func `the README shows the real failure report`() async throws {
    let lamp = try define(#require(try Self.blocks("yaml", in: "README.md").first))
    let transcript = try #require(try Self.blocks("transcript", in: "README.md").first)
    let wrong = transcript.replacing("< switch  turn state=1", with: "< switch  turn state=0")
    let result = try #require(try await runInMemory(wrong, with: lamp).first)
    let text = FailureText.write(try #require(result.failure), of: result.title, in: "lamp.transcript")
    #expect(
      try TextFile.read(Repository.path + "README.md").contains("FAILED  0 of 1  lamp.transcript\n\n" + text))
  }

  @Test func `the charger of the guide passes its transcript`() async throws {
    let guide = "Peripherals/from-a-datasheet.md"
    let charger = try define(#require(try Self.blocks("yaml", in: guide).last))
    let transcript = try #require(try Self.blocks("transcript", in: guide).first)
    #expect(try await failure(of: transcript, with: charger) == nil)
  }

  @Test func `the bracelet passes the examples in the reference`() async throws {
    let path = library.path(of: "bracelet")!
    let bracelet = try #require(try DefinitionLoader.load(path: path).definition)
    let transcripts = try Self.blocks("transcript", in: "Peripherals/README.md")
    #expect(transcripts.count == 5)
    for transcript in transcripts where !transcript.contains("pair") && !transcript.contains("press") {
      #expect(try await failure(of: transcript, with: bracelet) == nil)
    }
  }

  @Test func `a lock passes the example of pairing`() async throws {
    let lock = try define(
      """
      blemu: 1
      name: Lock
      security: { io-capability: display-only }
      services:
        - uuid: FFE0
          characteristics:
            - { id: code, uuid: FFE1, properties: [read], permissions: [encrypt-read], value: "01" }
      """)
    let transcripts = try Self.blocks("transcript", in: "Peripherals/README.md")
    let transcript = try #require(transcripts.first { $0.contains("pair") })
    #expect(try await failure(of: transcript, with: lock) == nil)
  }

  @Test func `the desk lamp passes the example of controls`() async throws {
    let definitions = try Self.blocks("yaml", in: "Peripherals/README.md")
    let lamp = try define(#require(definitions.first { $0.contains("controls:") }))
    let transcripts = try Self.blocks("transcript", in: "Peripherals/README.md")
    let transcript = try #require(transcripts.first { $0.contains("press") })
    #expect(try await failure(of: transcript, with: lamp) == nil)
  }

  @Test func `the reference names all reasons why pairing fails`() throws {
    let reference = try TextFile.read(Repository.path + "Peripherals/README.md")
    for name in PairingFailure.allNames { #expect(reference.contains("`\(name)`")) }
  }

  @Test func `the reference names all ATT errors`() throws {
    let reference = try TextFile.read(Repository.path + "Peripherals/README.md")
    let cells = reference.split(separator: "\n").filter { $0.hasPrefix("| 0x") }.flatMap {
      $0.split(separator: "|").map { $0.trimmingPrefix(" ").prefix { $0 != " " } }.filter { !$0.isEmpty }
    }
    let known = ATTError.allNames.map { name in
      "0x\(ATTError(named: name)!.rawValue.hexadecimal(digits: 2)) `\(name)`"
    }
    let named = stride(from: 0, to: cells.count, by: 2).map { "\(cells[$0]) \(cells[$0 + 1])" }
    #expect(named.sorted() == known.sorted())
  }

  @Test func `the reference names all reasons to disconnect`() throws {
    let reference = try TextFile.read(Repository.path + "Peripherals/README.md")
    for reason in HCIError.reasonsToDisconnect {
      #expect(reference.contains("`\(reason.name)` (\(reason.rawValue.hexadecimal(digits: 2)))"))
    }
  }
}
