import BlueZLimits
import DefinitionWriter
import Definitions
import DeviceModel
import EventLoop
import TestSupport

extension FuzzTarget {
  /// Any bytes as a definition: its text, a zero byte, the text of its data files, a zero byte, and the stimuli for the
  /// device if the definition is valid (``FuzzInput``).
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

  /// Reads a definition, formats its diagnostics, and runs its device if it is valid.
  @EventLoop
  static func tryOut(_ subject: DefinitionUnderTest, _ input: FuzzInput) async throws {
    let loaded = subject.load()
    let hasErrors = loaded.diagnostics.contains { $0.severity == .error }
    try guarantee(
      (loaded.definition == nil) == hasErrors, "there is a definition with errors, or none without errors")
    try guarantee(
      loaded.report.isEmpty == loaded.diagnostics.isEmpty, "the report does not match the diagnostics")
    try guarantee(
      loaded.json.isEmpty == loaded.diagnostics.isEmpty, "the JSON report does not match the diagnostics")
    guard let definition = loaded.definition else { return }
    try writeAndRead(definition)
    var input = input.isEmpty ? FuzzInput(usual) : input
    try await play(input.stimuli(for: definition), to: definition)
  }

  /// Writes a definition, and reads an equal one.
  private static func writeAndRead(_ definition: PeripheralDefinition) throws {
    let written = try DefinitionWriter(definition).write()
    let files = Dictionary(uniqueKeysWithValues: written.dataFiles.map { ($0.name, $0.text) })
    let loaded = DefinitionLoader.load(
      SourceText(name: "written.yaml", text: written.text), folder: MemoryFolder(files: files))
    guard let again = loaded.definition else {
      return try guarantee(false, "what is written of a definition has errors: \(loaded.report)")
    }
    try guarantee(
      again.modelDescription == definition.flattened.modelDescription,
      "what is written of a definition is another definition")
  }

  /// The stimuli for an input without any: a little of everything.
  private static let usual =
    "+0s00s01m0mm>00m0>00x3abc>01m1?000?0d00]m0t9]x3abct;+1>10m2-1t:u00?010>d00x1a-0t="
    .utf8
}

/// An unchecked definition and its other files.
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
  /// The definition may extend itself.
  init(_ input: inout FuzzInput) {
    text = String(decoding: input.bytes(upTo: 0), as: UTF8.self)
    let data = String(decoding: input.bytes(upTo: 0), as: UTF8.self)
    folder = MemoryFolder(files: ["device.yaml": text], otherData: data)
  }
}
