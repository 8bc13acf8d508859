import Definitions
import DeviceModel
import TestSupport
import Testing
import Transcripts

/// A bundled definition, and the sections of its transcripts.
func bundled(_ name: String) throws -> (PeripheralDefinition, [Transcript.Section]) {
  let path = try #require(library.path(of: name))
  let definition = try #require(try DefinitionLoader.load(path: path, bundled: library).definition)
  let folder = String(path.dropLast("\(name).yaml".count))
  let sections = try Repository.names(in: folder).filter { $0.hasSuffix(".transcript") }.flatMap { file in
    let source = SourceText(name: file, text: try TextFile.read(folder + file))
    return try TranscriptParser.parse(source, for: definition).get().sections
  }
  return (definition, sections)
}
