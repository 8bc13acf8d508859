import BlueZLimits
import Definitions
import EventLoop
import TestSupport

extension FuzzTarget {
  /// Any bytes as a definition: its text, a zero byte, the text of its data files, a zero byte, and what happens to
  /// the device if there is one (``FuzzInput``).
  static let definition = FuzzTarget(
    name: "definition",
    run: { bytes in
      var input = FuzzInput(bytes)
      try await tryOut(DefinitionUnderTest(&input), input)
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      let definition = DefinitionUnderTest(&input)
      return definition.text + "\n" + definition.load().report
    })

  /// Reads a definition, prints what there is to say about it, and lets things happen to it if it is good.
  @EventLoop
  static func tryOut(_ subject: DefinitionUnderTest, _ input: FuzzInput) async throws {
    let loaded = subject.load()
    let hasErrors = loaded.diagnostics.contains { $0.severity == .error }
    try promise((loaded.definition == nil) == hasErrors, "a definition with errors, or none without")
    try promise(loaded.report.isEmpty == loaded.diagnostics.isEmpty, "the report says something else")
    try promise(loaded.json.isEmpty == loaded.diagnostics.isEmpty, "the report for programs does")
    guard let definition = loaded.definition else { return }
    var input = input.isEmpty ? FuzzInput(usual) : input
    try await play(input.happenings(to: definition), to: definition)
  }

  /// What happens to a definition that comes without: a little of everything.
  private static let usual =
    "+0s00s01m0mm>00m0>00x3abc>01m1?000?0d00]m0t9]x3abct;+1>10m2-1t:u00?010>d00x1a-0t="
    .utf8
}

/// A definition that nobody has looked at, and the files beside it.
struct DefinitionUnderTest {
  var text: String
  var folder: MemoryFolder

  func load() -> LoadedDefinition {
    DefinitionLoader.load(
      DefinitionFile(name: "device.yaml", text: text, folder: folder), bundled: MemoryLibrary(),
      for: [BlueZLimits()])
  }
}

extension DefinitionUnderTest {
  /// It may extend itself.
  init(_ input: inout FuzzInput) {
    text = String(decoding: input.bytes(upTo: 0), as: UTF8.self)
    let data = String(decoding: input.bytes(upTo: 0), as: UTF8.self)
    folder = MemoryFolder(files: ["device.yaml": text], otherData: data)
  }
}
