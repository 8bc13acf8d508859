import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct TranscriptFinderTests {
  private let finder = TranscriptFinder(library: .ofThisProgram())
  private let folder = TemporaryFolder([
    "lamp.yaml": "", "lamp-two.yaml": "", "lamp.transcript": "== Old", "lamp-at-night.transcript": "",
    "lamp-two-b.transcript": "", "other.transcript": "# comment\ndevice lamp-two.yaml  # this one\n",
    "notes.txt": "", "below/button.yaml": "", "below/anything.transcript": "",
  ])

  /// The found files, each as `transcript: definition`, without the folder.
  private func found(_ paths: String...) throws -> [String] {
    try finder.find(paths.map { folder.path + $0 }).map {
      "\($0.path.dropFirst(folder.path.count)): \($0.definition.dropFirst(folder.path.count))"
    }
  }

  @Test func `a definition selects its transcripts`() throws {
    #expect(
      try found("lamp.yaml") == ["lamp-at-night.transcript: lamp.yaml", "lamp.transcript: lamp.yaml"])
    #expect(
      try found("lamp-two.yaml") == [
        "lamp-two-b.transcript: lamp-two.yaml", "other.transcript: lamp-two.yaml",
      ])
  }

  @Test func `a folder selects all its transcripts`() throws {
    #expect(try found("").count == 4)
    #expect(try found("below") == ["below/anything.transcript: below/button.yaml"])
    #expect(try found("below/") == ["below/anything.transcript: below/button.yaml"])
  }

  @Test func `a folder of folders selects the transcripts in them`() throws {
    let outer = TemporaryFolder([
      "a/a.yaml": "", "a/a.transcript": "", "b/c/c.yaml": "", "b/c/c.transcript": "", "README.md": "",
    ])
    #expect(
      try finder.find([outer.path]).map(\.path)
        == ["a/a.transcript", "b/c/c.transcript"].map { outer.path + $0 })
  }

  @Test func `a transcript is found only once`() throws {
    #expect(try found("lamp.transcript", "lamp.yaml", "lamp.transcript").count == 2)
  }

  @Test func `the default is all bundled transcripts, and a name selects its own`() throws {
    let all = try finder.find([]).map(\.definition)
    #expect(Set(all) == Set(finder.library.names.compactMap(finder.library.path)))
    let paths = try finder.find(["hm-10"]).map(\.path)
    #expect(paths == [finder.library.folder! + "/serial-modules/hm-10/hm-10.transcript"])
  }

  @Test func `a transcript with several possible definitions is an error`() {
    let folder = TemporaryFolder(["a.yaml": "", "b.yaml": "", "c.transcript": ""])
    let path = folder.path + "c.transcript"
    #expect { try finder.find([path]) } throws: {
      ($0 as? CommandError)?.sentences?.message == "no definition found for '\(path)'"
    }
  }

  @Test(arguments: ["nothing.transcript", "notes.txt", "nothing.yaml", "missing"])
  func `a path without a transcript is an error`(name: String) {
    #expect { try found(name) } throws: { ($0 as? CommandError)?.status == .noDefinition }
  }
}
