import DefinitionWriter
import Definitions
import DeviceModel
import TestSupport
import Testing

/// What is written of a definition is read as an equal one.
@Suite struct RoundTripTests {
  static func expectSame(_ device: PeripheralDefinition, _ name: String) throws {
    let written = try DefinitionWriter(device).write()
    let loaded = Self.load(written)
    guard let again = loaded.definition else {
      Issue.record("\(name): \(loaded.report)\n\(written.text)")
      return
    }
    let (expected, found) = (device.flattened.modelDescription, again.modelDescription)
    if expected != found {
      let index =
        zip(expected, found).enumerated().first { $1.0 != $1.1 }?.offset ?? min(expected.count, found.count)
      let context = { (lines: [String]) in lines.dropFirst(index).prefix(3).joined(separator: "\n  ") }
      Issue.record("\(name): expected\n  \(context(expected))\nfound\n  \(context(found))\n\(written.text)")
    }
    #expect(try DefinitionWriter(again).write() == written, "\(name)")
  }

  static func load(_ written: WrittenDefinition) -> LoadedDefinition {
    let files = Dictionary(uniqueKeysWithValues: written.dataFiles.map { ($0.name, $0.text) })
    return DefinitionLoader.load(
      SourceText(name: "device.yaml", text: written.text), folder: MemoryFolder(files: files))
  }

  @Test(arguments: library.names) func `a bundled definition`(name: String) throws {
    try Self.expectSame(bundled(name), name)
  }

  /// The texts of definitions besides those of the library: those of tests on the air and in memory, and the fuzzer's.
  private static let others: [String] =
    [
      "Tests/VM/definitions/", "Tests/Fuzz/Corpus/definition/", "Tests/Radio/definitions/",
      "Tests/TestBedsTests/Phones/",
    ].flatMap { folder in
      Repository.names(in: Repository.path + folder).map { folder + $0 }
    }

  @Test(arguments: others) func `any other definition without mistakes`(path: String) throws {
    let bytes = try #require(Repository.bytes(ofFile: Repository.path + path))
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let folder = MemoryFolder(files: [:], otherData: parts.count > 1 ? parts[1] : nil)
    let loaded = DefinitionLoader.load(
      DefinitionFile(name: path, text: parts[0], folder: folder), bundled: library)
    if let definition = loaded.definition { try Self.expectSame(definition, path) }
  }

  @Test(arguments: library.names) func `a bundled definition with something changed`(name: String) throws {
    let path = library.path(of: name)!
    let folder = DiskFolder(of: path)
    let lines = try TextFile.read(path).split(separator: "\n", omittingEmptySubsequences: false)
    var random = SplitMix64(seed: 5)
    for _ in 0..<Sample.rounds(of: 20) {
      var changed = lines
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let (from, to) = (
          changed.indices.randomElement(using: &random)!, changed.indices.randomElement(using: &random)!
        )
        if Bool.random(using: &random) {
          changed.remove(at: from)
        } else {
          changed.insert(changed[from], at: to)
        }
      }
      let file = DefinitionFile(name: name, text: changed.joined(separator: "\n"), folder: folder)
      let loaded = DefinitionLoader.load(file, bundled: library)
      if let definition = loaded.definition { try Self.expectSame(definition, name) }
    }
  }
}
