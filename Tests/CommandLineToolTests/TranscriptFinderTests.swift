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
    try find(paths.map { folder.path + $0 }).map {
      "\($0.path.dropFirst(folder.path.count)): \($0.definition.dropFirst(folder.path.count))"
    }
  }

  /// All files, or the first error.
  private func find(_ paths: [String]) throws -> [TranscriptFile] {
    let (files, errors) = finder.find(paths)
    if let error = errors.first { throw error }
    return files
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
      try find([outer.path]).map(\.path)
        == ["a/a.transcript", "b/c/c.transcript"].map { outer.path + $0 })
  }

  @Test func `a transcript is found only once`() throws {
    #expect(try found("lamp.transcript", "lamp.yaml", "lamp.transcript").count == 2)
  }

  @Test func `a name selects the transcripts of a bundled definition`() throws {
    let paths = try find(["hm-10"]).map(\.path)
    #expect(paths == [finder.library.path(of: "hm-10")!.replacing(".yaml", with: ".transcript")])
  }

  @Test func `a line selects a section, and lines of one file are joined`() throws {
    let path = folder.path + "lamp.transcript"
    #expect(try find([path + ":1"]).map(\.lines) == [[1]])
    #expect(try find([path + ":1", path + ":5"]).map(\.lines) == [[1, 5]])
    #expect(try find([path + ":1", path]).map(\.lines) == [nil])
    #expect(throws: CommandError.self) { try find([path + ":0"]) }
    #expect(throws: CommandError.self) { try find([path + ":one"]) }
  }

  @Test func `an error does not stop the search`() {
    let (files, errors) = finder.find([folder.path + "missing.transcript", folder.path + "lamp.yaml"])
    #expect(files.count == 2)
    #expect(errors.map(\.status) == [.noDefinition])
  }

  @Test func `a transcript may name a definition in another folder, or a bundled one`() throws {
    let folder = TemporaryFolder([
      "a/a.yaml": "", "b/x.transcript": "device ../a/a.yaml", "b/y.transcript": "device hm-10",
    ])
    let files = try find([folder.path + "b"])
    #expect(files.map(\.definition) == [folder.path + "b/../a/a.yaml", finder.library.path(of: "hm-10")])
  }

  @Test func `a transcript with several possible definitions is an error`() {
    let folder = TemporaryFolder(["a.yaml": "", "b.yaml": "", "c.transcript": ""])
    let path = folder.path + "c.transcript"
    #expect { try find([path]) } throws: {
      ($0 as? CommandError)?.message == "no definition found for '\(path)'"
    }
  }

  @Test(arguments: [
    ("lmap.transcript", "lmap.transcript", "did you mean 'FOLDER/lamp.transcript'?"),
    ("lmap.transcript:4", "lmap.transcript", "did you mean 'FOLDER/lamp.transcript'?"),
    (
      "nothing.transcript", "nothing.transcript",
      "write it, or let 'blemu play DEFINITION --record FOLDER/nothing.transcript' make it"
    ),
  ])
  func `a missing transcript is named, and one that is meant`(name: String, path: String, hint: String) {
    #expect { try found(name) } throws: {
      let error = $0 as? CommandError
      return error?.message == "there is no file '\(folder.path)\(path)'"
        && error?.hint == hint.replacing("FOLDER/", with: folder.path)
    }
  }

  @Test(arguments: ["nothing.transcript", "notes.txt", "nothing.yaml", "missing"])
  func `a path without a transcript is an error`(name: String) {
    #expect { try found(name) } throws: { ($0 as? CommandError)?.status == .noDefinition }
  }
}
